//! Alerts, receivers and the settings of operators in the demo.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex},
};

use croft_control::{
    reconcile::Reconciler,
    support_bundle::{Archives, Collector, Content, Member, Sources},
};
use croft_demo::NoReceivers;
use croft_store::records::{
    Alert, AlertDelivery, AlertDeliveryState, AlertDeliveryTrigger, AlertReceiver, BgpConfig, BundleState,
    ReceiverSubscription, SupportBundle, SwitchPort, SwitchPortBgpConfig, WebhookSecret,
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{Cloud, all, now, seeded};

/// The number of deliveries for each receiver, state and number of attempts.
fn deliveries(cloud: &Cloud) -> BTreeMap<(String, &'static str, usize), usize> {
    let receivers: Vec<AlertReceiver> = all(&cloud.database);
    let mut counts = BTreeMap::new();
    for delivery in all::<AlertDelivery>(&cloud.database) {
        let receiver = receivers.iter().find(|one| one.meta.id == delivery.receiver_id).unwrap();
        let state = match delivery.state {
            AlertDeliveryState::Pending => "pending",
            AlertDeliveryState::Delivered => "delivered",
            AlertDeliveryState::Failed => "failed",
        };
        let is_resent = delivery.trigger == AlertDeliveryTrigger::Resend;
        assert_eq!(is_resent, delivery.state == AlertDeliveryState::Pending);
        *counts.entry((receiver.name.to_string(), state, delivery.attempts.len())).or_default() += 1;
    }
    counts
}

#[test]
fn failures_raised_alerts() {
    let cloud = seeded(1);
    // Four instances failed twice. For two of them, the receiver `pager` existed.
    assert_eq!(all::<Alert>(&cloud.database).len(), 8);
    let [chat, pager] = ["chat-room", "old-pager"].map(str::to_owned);
    let mut expected = BTreeMap::from([
        ((chat, "delivered", 1), 8),
        ((pager.clone(), "failed", 3), 4),
        ((pager.clone(), "pending", 1), 1),
    ]);
    assert_eq!(deliveries(&cloud), expected);
    assert_eq!(all::<WebhookSecret>(&cloud.database).len(), 3);
    let subscriptions: Vec<ReceiverSubscription> = all(&cloud.database);
    assert!(subscriptions.iter().any(|one| one.subscription.is_glob()));

    // Later steps of the reconciler send nothing.
    let mut reconciler = Reconciler::new(Arc::clone(&cloud.environment)).sending_by(Arc::new(NoReceivers));
    let mut random = croft_control::SeededRandom::new([4; 32]);
    reconciler.start(&cloud.database, now(), &mut random, &*cloud.hypervisor).unwrap();
    for seconds in [61, 62] {
        let time = now() + SignedDuration::from_secs(seconds);
        reconciler.step(&cloud.database, time, &mut random, &*cloud.hypervisor).unwrap();
    }
    expected.remove(&(pager.clone(), "pending", 1));
    expected.insert((pager, "pending", 2), 1);
    assert_eq!(deliveries(&cloud), expected);
}

#[test]
fn the_rack_speaks_with_the_routers_next_door() {
    let cloud = seeded(1);
    let [config] = &all::<BgpConfig>(&cloud.database)[..] else { panic!("one configuration was expected") };
    let [link] = &all::<SwitchPortBgpConfig>(&cloud.database)[..] else { panic!("one peer was expected") };
    let ports: Vec<SwitchPort> = all(&cloud.database);
    assert_eq!(link.bgp_config_id, config.meta.id);
    assert_eq!(ports[0].port_settings_id, Some(link.port_settings_id));
}

/// The names of the members of each bundle.
#[derive(Default)]
struct Names(Mutex<BTreeMap<Uuid, Vec<String>>>);

impl Archives for Names {
    fn make(&self, id: Uuid, members: &[Member], _: &mut dyn FnMut() -> bool) -> io::Result<bool> {
        let names = members.iter().map(|member| member.name.clone()).collect();
        self.0.lock().unwrap().insert(id, names);
        Ok(true)
    }

    fn remove(&self, _: Uuid) -> io::Result<()> {
        Ok(())
    }

    fn open(&self, _: Uuid) -> io::Result<Box<dyn Content>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn names(&self, _: Uuid) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn member(&self, _: Uuid, _: &str) -> io::Result<Option<Vec<u8>>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Sources for Names {
    fn members(&self) -> Vec<Member> {
        Vec::new()
    }
}

#[test]
fn the_support_bundle_is_collected_by_the_host_program() {
    let cloud = seeded(1);
    let archives = Arc::new(Names::default());
    let hypervisor = cloud.hypervisor;
    let collector = Collector::new(
        Uuid::from_u128(1),
        cloud.database.clone(),
        hypervisor,
        archives.clone(),
        archives.clone(),
    );
    collector.start(now()).unwrap();
    while collector.step(now()).unwrap() {}
    let [bundle] = &all::<SupportBundle>(&cloud.database)[..] else { panic!("one bundle was expected") };
    assert_eq!(bundle.state, BundleState::Active, "{bundle:?}");
    assert!(archives.0.lock().unwrap()[&bundle.meta.id].len() > 5);
}
