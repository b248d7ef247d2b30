//! Random settings and loopback addresses, checked against a model: no address of a lot is reserved twice, and each is
//! released.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::json;

use super::{create_settings, delete_loopback, delete_lot, delete_settings, loopback, lot, settings_body};
use crate::kit::{Cloud, by_name, status};

/// The last bytes of the lot's addresses: two overlapping blocks and a gap.
const BLOCKS: [(u8, u8); 3] = [(1, 3), (2, 4), (6, 6)];

#[derive(Clone, Debug)]
enum Step {
    /// Creates or replaces the settings of this number with these addresses.
    Set(u8, Vec<u8>),
    Delete(u8),
    Loopback(u8, bool),
    Unloop(u8),
    DeleteLot,
}

fn step() -> impl Strategy<Value = Step> {
    let address = || 0_u8..8;
    prop_oneof![
        6 => (0_u8..3, prop::collection::vec(address(), 0..4)).prop_map(|(name, all)| Step::Set(name, all)),
        2 => (0_u8..3).prop_map(Step::Delete),
        4 => (address(), any::<bool>()).prop_map(|(address, anycast)| Step::Loopback(address, anycast)),
        3 => address().prop_map(Step::Unloop),
        1 => Just(Step::DeleteLot),
    ]
}

#[derive(Default)]
struct Model {
    settings: BTreeMap<u8, BTreeSet<u8>>,
    loopbacks: BTreeSet<u8>,
}

impl Model {
    /// Whether an address is used, not counting the settings with this number.
    fn used(&self, address: u8, but: Option<u8>) -> bool {
        let mut others = self.settings.iter().filter(|(name, _)| Some(**name) != but);
        others.any(|(_, addresses)| addresses.contains(&address)) || self.loopbacks.contains(&address)
    }

    /// Whether the settings can have these addresses.
    fn fits(&self, name: u8, addresses: &[u8]) -> bool {
        let distinct: BTreeSet<u8> = addresses.iter().copied().collect();
        let free = |address: &u8| in_lot(*address) && !self.used(*address, Some(name));
        distinct.len() == addresses.len() && distinct.iter().all(free)
    }

    fn is_idle(&self) -> bool {
        self.loopbacks.is_empty() && self.settings.values().all(BTreeSet::is_empty)
    }
}

fn in_lot(address: u8) -> bool {
    BLOCKS.iter().any(|(first, last)| (*first..=*last).contains(&address))
}

fn text(address: u8) -> String {
    format!("203.0.113.{address}")
}

fn fill_lot(cloud: &mut Cloud) {
    let blocks = BLOCKS.map(|(first, last)| (text(first), text(last)));
    let blocks: Vec<_> = blocks.iter().map(|(first, last)| (first.as_str(), last.as_str())).collect();
    lot(cloud, "lot", &blocks);
}

fn take(cloud: &mut Cloud, model: &mut Model, step: Step) {
    let (result, expected) = match &step {
        Step::Set(name, addresses) => {
            let wanted: Vec<_> = addresses
                .iter()
                .map(|address| json!({ "address_lot": "lot", "address": format!("{}/24", text(*address)) }))
                .collect();
            let mut body = settings_body(&format!("settings{name}"));
            body["addresses"] = json!([{ "link_name": "phy0", "addresses": wanted }]);
            (create_settings(cloud, body).map(drop), model.fits(*name, addresses))
        }
        Step::Delete(name) => {
            let deleted = delete_settings(cloud, Some(&by_name(&format!("settings{name}"))));
            (deleted, model.settings.contains_key(name))
        }
        Step::Loopback(address, anycast) => {
            // A second loopback address for anycast would be the same address on the same switch.
            let free = !model.used(*address, None);
            let created = loopback(cloud, "lot", &text(*address), 32, *anycast).map(drop);
            (created, in_lot(*address) && free)
        }
        Step::Unloop(address) => {
            let gone = delete_loopback(cloud, "switch0", &text(*address), 32);
            (gone, model.loopbacks.contains(address))
        }
        Step::DeleteLot => (delete_lot(cloud, "lot"), model.is_idle()),
    };
    if let Err(error) = &result {
        assert!(matches!(status(error), 400 | 404), "{step:?}: {error}");
    }
    assert_eq!(result.is_ok(), expected, "{step:?}: {result:?}");
    if expected {
        apply(cloud, model, step);
    }
}

fn apply(cloud: &mut Cloud, model: &mut Model, step: Step) {
    match step {
        Step::Set(name, addresses) => {
            model.settings.insert(name, addresses.into_iter().collect());
        }
        Step::Delete(name) => {
            model.settings.remove(&name);
        }
        Step::Loopback(address, _) => {
            model.loopbacks.insert(address);
        }
        Step::Unloop(address) => {
            model.loopbacks.remove(&address);
        }
        Step::DeleteLot => fill_lot(cloud),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn reservations_never_leak(steps in prop::collection::vec(step(), 1..40)) {
        let mut cloud = Cloud::new();
        let mut model = Model::default();
        fill_lot(&mut cloud);
        for step in steps {
            take(&mut cloud, &mut model, step);
            cloud.check_invariants();
        }
        for name in model.settings.into_keys() {
            delete_settings(&mut cloud, Some(&by_name(&format!("settings{name}")))).unwrap();
        }
        for address in model.loopbacks {
            delete_loopback(&mut cloud, "switch0", &text(address), 32).unwrap();
        }
        delete_lot(&mut cloud, "lot").unwrap();
        cloud.check_invariants();
    }
}
