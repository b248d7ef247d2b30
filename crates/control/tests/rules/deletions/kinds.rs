//! For every kind of resource, the description of its deletion agrees with what the rule does.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use croft_api::{
    Error, Result,
    deletion::{Deletion, DeletionCreate, DeletionEffect},
};
use croft_control::{Cx, deletion, event, execute, operation};
use croft_store::{ListBy, Marker, Record, Sort, Tx, for_each_record, records};
use uuid::Uuid;

use super::kinds_along;
use crate::{authorization::world, kit::Cloud, network::new_vpc};

/// Deletions without a description, and the reason.
const NOT_DESCRIBED: [(&str, &str); 14] = [
    ("account_second_factor_delete", "nothing hangs on it"),
    ("account_session_delete", "nothing hangs on it"),
    ("affinity_group_member_instance_delete", "both go on existing"),
    ("alert_receiver_subscription_remove", "nothing hangs on it"),
    ("anti_affinity_group_member_instance_delete", "both go on existing"),
    ("certificate_delete", "nothing hangs on it"),
    ("current_user_access_token_delete", "nothing hangs on it"),
    ("current_user_ssh_key_delete", "nothing hangs on it"),
    ("ip_pool_service_range_remove", "the rule of ranges, and no screen of its own"),
    ("networking_loopback_address_delete", "nothing hangs on it"),
    ("saml_identity_provider_delete", "sessions only"),
    ("support_bundle_delete", "nothing hangs on it"),
    ("system_update_trust_root_delete", "repositories only, which stay valid"),
    ("webhook_secrets_delete", "nothing hangs on it"),
];

/// Tables of records that are parts of named resources and not resources themselves.
const PARTS: [&str; 22] = [
    "affinity_group_membership",
    "alert_queue",
    "anti_affinity_group_membership",
    "auth_settings",
    "batch",
    "free_run",
    "instance_activity",
    "ip_pool_silo_link",
    "ip_pool_usage",
    "lldp_link",
    "role_assignment",
    "saml_sign_in",
    "saml_use",
    "second_factor",
    "second_factor_reserve",
    "shared_address",
    "silo_group_membership",
    "snapshot_volume",
    "switch_port_bgp_config",
    "usage",
    "vpc_firewall",
    "address_reservation",
];

/// Kinds that are described as changed although their record is not: other records that belong to them are removed.
const CHANGED_BY_PARTS: [&str; 5] = ["affinity_group", "anti_affinity_group", "instance", "silo", "ip_pool"];

type Key = (&'static str, Uuid);

fn records_of<R: Record>(tx: &mut Tx<'_>, all: &mut BTreeMap<Key, u64>) -> Result<()> {
    let mut after = None;
    loop {
        let page: Vec<R> = tx.page(ListBy::All, Sort::IdAsc, after, 1000)?;
        all.extend(page.iter().map(|record| ((R::TABLE.name, record.meta().id), record.meta().generation)));
        match page.last() {
            Some(last) if page.len() == 1000 => after = Some(Marker::after(last, Sort::IdAsc)),
            _ => return Ok(()),
        }
    }
}

/// The generations of all records.
fn everything(tx: &mut Tx<'_>) -> Result<BTreeMap<Key, u64>> {
    macro_rules! gather {
        ($($record:ident)*) => {{
            let mut all = BTreeMap::new();
            $(records_of::<records::$record>(tx, &mut all)?;)*
            all
        }};
    }
    Ok(for_each_record!(gather))
}

/// The description of a deletion and its effect.
struct Trial {
    shown: Deletion,
    /// The kinds that were deleted along with the resource.
    also: Vec<String>,
    refusal: Option<String>,
    gone: BTreeMap<&'static str, u64>,
    changed: BTreeMap<&'static str, u64>,
}

fn tally(keys: impl Iterator<Item = Key>) -> BTreeMap<&'static str, u64> {
    keys.fold(BTreeMap::new(), |mut counts, (table, _)| {
        *counts.entry(table).or_default() += 1;
        counts
    })
}

/// Deletes a resource, alone or with all dependents that can be deleted along, and rolls back.
fn try_deletion(cloud: &mut Cloud, kind: &'static str, id: Uuid, with_all: bool) -> Trial {
    let credentials = cloud.admin.credentials.clone();
    let result: Arc<Mutex<Option<Trial>>> = Arc::default();
    let out = Arc::clone(&result);
    let undone = cloud.rule(move |cx| {
        let shown = execute::read(cx, &credentials, None, |cx, caller| deletion::view(cx, caller, kind, id))?;
        let also = if with_all { kinds_along(&shown) } else { Vec::new() };
        let params = DeletionCreate { revision: shown.revision.clone(), also: also.clone() };
        let before = everything(cx.tx)?;
        let deleted = execute::write(cx, &credentials, &operation::DELETION_CREATE, |cx, caller| {
            deletion::create(cx, caller, kind, id, &params)
        })?;
        let after = everything(cx.tx)?;
        let gone = before.keys().filter(|key| !after.contains_key(*key) && key.1 != id).copied();
        let changed =
            before.iter().filter(|(key, generation)| after.get(*key).is_some_and(|now| now != *generation));
        *out.lock().unwrap() = Some(Trial {
            gone: tally(gone),
            changed: tally(changed.map(|(key, _)| *key)),
            refusal: deleted.err().map(|error| error.message()),
            shown,
            also,
        });
        Err::<(), _>(Error::conflict("undone"))
    });
    assert_eq!(undone, Err(Error::conflict("undone")), "{kind} {id}");
    let trial = result.lock().unwrap().take();
    trial.unwrap()
}

fn is_named(table: &str) -> bool {
    event::kind(table).is_some() && !PARTS.contains(&table)
}

/// Compares the description of a deletion with its effect. Returns the differences.
fn check(trial: &Trial) -> Vec<String> {
    let Trial { shown, also, refusal, gone, changed } = trial;
    let mut wrong = Vec::new();
    // Dependents that are deleted along do not prevent the deletion.
    let is_alone = also.is_empty();
    if is_alone && *refusal != shown.refusal {
        wrong.push(format!("refused with {refusal:?}"));
    }
    if refusal.is_some() {
        let prevents = shown.parts.iter().filter(|part| part.effect == DeletionEffect::Prevents);
        // Depends on what is left after the deletion.
        let is_last_administrator =
            refusal.as_ref().is_some_and(|text| text.contains("no fleet administrator"));
        if !is_alone && !is_last_administrator && prevents.clone().all(|part| part.can_go_along) {
            wrong.push(format!("refused with {refusal:?} although all can go along"));
        }
        return wrong;
    }
    let (mut described_gone, mut described_changed): (BTreeMap<&str, u64>, BTreeMap<&str, u64>) =
        Default::default();
    for part in &shown.parts {
        let goes = also.contains(&part.kind) && part.along_with.is_none() && part.can_go_along;
        let happens = part.along_with.as_ref().is_none_or(|group| also.contains(group));
        let described = match part.effect {
            _ if goes => &mut described_gone,
            DeletionEffect::Deleted if happens => &mut described_gone,
            DeletionEffect::Changed if happens => &mut described_changed,
            _ => continue,
        };
        *described.entry(part.kind.as_str()).or_default() += part.count;
    }
    described_gone.remove("vpc_firewall_rule");
    // Sessions have no events, and descriptions contain their number.
    described_gone.remove("console_session");
    let is_shown = |(table, count): (&&'static str, &u64)| is_named(table).then_some((*table, *count));
    let gone: BTreeMap<&str, u64> = gone.iter().filter_map(is_shown).collect();
    if described_gone != gone {
        wrong.push(format!("described as deleted: {described_gone:?}; deleted: {gone:?}"));
    }
    described_changed.retain(|kind, _| !CHANGED_BY_PARTS.contains(kind));
    let changed: BTreeMap<&str, u64> = changed.iter().filter_map(is_shown).collect();
    if described_changed != changed {
        wrong.push(format!("described as changed: {described_changed:?}; changed: {changed:?}"));
    }
    wrong
}

#[test]
fn described_deletion_agrees_with_its_rule() {
    let mut world = world();
    // A VPC without probes, whose interfaces are not deleted with other records.
    new_vpc(&mut world.cloud, "spare");
    let mut wrong = Vec::new();
    let mut outcomes: BTreeMap<(&str, bool), BTreeSet<bool>> = BTreeMap::new();
    // First with a running instance, then with stopped ones only.
    for _ in 0..2 {
        let all = world.cloud.rule(|cx: &mut Cx<'_, '_>| everything(cx.tx)).unwrap();
        for (kind, _) in deletion::kinds() {
            for id in all.keys().filter(|(table, _)| *table == kind).map(|(_, id)| *id) {
                let is_seen = world
                    .cloud
                    .see(&world.cloud.admin, move |cx, caller| deletion::view(cx, caller, kind, id));
                if let Err(error) = is_seen {
                    // Objects that the operation does not find, such as the service pool, have no description.
                    assert!(matches!(error, Error::NotFound { .. }), "{kind} {id}: {error}");
                    continue;
                }
                for with_all in [false, true] {
                    let trial = try_deletion(&mut world.cloud, kind, id, with_all);
                    outcomes.entry((kind, with_all)).or_default().insert(trial.refusal.is_none());
                    let name = trial.shown.name.clone().unwrap_or_default();
                    let found = check(&trial).into_iter();
                    wrong.extend(
                        found.map(|text| format!("{kind} {name} along with {:?}: {text}", trial.also)),
                    );
                }
            }
        }
        let running = world.running();
        world.cloud.stop_instance(running).unwrap();
        world.cloud.pass_seconds(10);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (kind, _) in deletion::kinds() {
        assert!(outcomes.contains_key(&(kind, true)), "the fixture has no {kind}");
    }
    for kind in ["project", "vpc", "vpc_subnet", "instance"] {
        assert_eq!(
            outcomes[&(kind, true)],
            BTreeSet::from([false, true]),
            "{kind} with all dependents that can be deleted along"
        );
    }
}

#[test]
fn every_deletion_is_described_or_has_a_reason_not_to_be() {
    let described: BTreeSet<&str> = deletion::kinds().map(|(_, operation)| operation).collect();
    let excepted: BTreeSet<&str> = NOT_DESCRIBED.iter().map(|(operation, _)| *operation).collect();
    let all = operation::ALL.iter().chain(operation::EXTENSIONS).map(|operation| operation.id);
    let deletions: BTreeSet<&str> =
        all.filter(|id| id.ends_with("_delete") || id.ends_with("_remove")).collect();
    let missing: Vec<_> =
        deletions.iter().filter(|id| !described.contains(**id) && !excepted.contains(**id)).collect();
    assert!(
        missing.is_empty(),
        "implement `Deletable` for what {missing:?} deletes, and add `deletable()` to its declaration"
    );
    let stale: Vec<_> =
        excepted.iter().filter(|id| operation::find(id).is_none() || described.contains(**id)).collect();
    assert!(stale.is_empty(), "{stale:?} no longer exist or have a description");
}
