//! Batches: one operation on many resources.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use croft_api::{
    Error, Result,
    activity::NewestFirstSortMode,
    batch::{self as api, BatchCreate, BatchItemCreate, BatchItemState, BatchOperation, BatchState},
    instance::InstanceState,
    page::{NoSelector, PageQuery, TimeAndIdSortMode},
    scalar::NameOrId,
};
use croft_control::{
    SeededRandom, batch,
    event::{self, AccessCache},
    operation, policy,
    reconcile::Reconciler,
    user,
};
use croft_sled::{Hypervisor as _, simulated::SimulatedOptions};
use croft_store::{
    ListBy, Record as _, Sort,
    records::{AuditEntry, Batch, BatchItem, Resources, Role, RoleIdentity, RoleScope, SiloUser},
};
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, GIB, User, by_name, file, refused};

fn params(key: &str, operation: BatchOperation, targets: &[Uuid]) -> BatchCreate {
    let items = targets.iter().map(|target_id| BatchItemCreate { target_id: *target_id }).collect();
    BatchCreate { idempotency_key: key.to_owned(), operation, items }
}

fn create_as(
    cloud: &mut Cloud,
    user: &User,
    key: &str,
    operation: BatchOperation,
    targets: &[Uuid],
) -> Result<api::Batch> {
    let params = params(key, operation, targets);
    cloud.act(user, &operation::BATCH_CREATE, move |cx, caller| batch::create(cx, caller, &params))
}

fn create(cloud: &mut Cloud, key: &str, operation: BatchOperation, targets: &[Uuid]) -> api::Batch {
    create_as(cloud, &cloud.admin.clone(), key, operation, targets).unwrap()
}

fn view(cloud: &Cloud, id: Uuid) -> api::Batch {
    cloud.see(&cloud.admin, move |cx, caller| batch::view(cx, caller, id)).unwrap()
}

fn items_of(cloud: &Cloud, user: &User, id: Uuid) -> Vec<api::BatchItem> {
    let sort = TimeAndIdSortMode::TimeAndIdAscending;
    let query = PageQuery { selector: NoSelector {}, sort, after: None, limit: 1000 };
    cloud.see(user, move |cx, caller| batch::item_list(cx, caller, id, &query)).unwrap().items
}

fn items(cloud: &Cloud, id: Uuid) -> Vec<api::BatchItem> {
    items_of(cloud, &cloud.admin, id)
}

/// State, and how many items succeeded, failed and were canceled.
fn progress(batch: &api::Batch) -> (BatchState, [u32; 3]) {
    (batch.state, [batch.succeeded, batch.failed, batch.canceled])
}

fn cancel(cloud: &mut Cloud, id: Uuid) -> api::Batch {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::BATCH_CANCEL, move |cx, caller| batch::cancel(cx, caller, id)).unwrap()
}

fn retry(cloud: &mut Cloud, id: Uuid) -> api::Batch {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::BATCH_RETRY, move |cx, caller| batch::retry(cx, caller, id)).unwrap()
}

/// Status and message of the failed items.
fn refusals(items: &[api::BatchItem]) -> Vec<(u16, String)> {
    let errors = items.iter().filter_map(|item| item.error.clone());
    errors.map(|error| (error.http_status_code, error.message)).collect()
}

/// IDs of no resource.
fn unknown_ids(count: u128) -> Vec<Uuid> {
    (1..=count).map(|number| Uuid::from_u128(0x4000_8000_0000_0000 | (number << 64))).collect()
}

/// The audit log entries of the items of batches.
fn audited(cloud: &Cloud) -> Vec<AuditEntry> {
    let all = cloud.db.read_blocking(|tx| {
        Ok::<Vec<AuditEntry>, Error>(tx.page(ListBy::All, Sort::TimeAsc, None, 100_000)?)
    });
    all.unwrap().into_iter().filter(|entry| entry.request_uri.contains("#batch=")).collect()
}

fn disks(cloud: &mut Cloud, count: usize) -> Vec<Uuid> {
    let disks = (0..count).map(|number| cloud.disk("web", &format!("d{number}")).id).collect();
    cloud.pass_seconds(2);
    disks
}

#[test]
fn each_item_is_done_by_the_rule_of_its_operation() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let instances: Vec<Uuid> = (0..3).map(|number| cloud.instance("web", &format!("i{number}")).id).collect();
    let states = |cloud: &Cloud| instances.iter().map(|id| cloud.state(*id)).collect::<Vec<_>>();
    for (operation, state) in [
        (BatchOperation::InstanceStart, InstanceState::Running),
        (BatchOperation::InstanceReboot, InstanceState::Running),
        (BatchOperation::InstanceStop, InstanceState::Stopped),
    ] {
        let created = create(&mut cloud, &format!("{operation:?}"), operation, &instances);
        assert_eq!((created.total, progress(&created)), (3, (BatchState::Queued, [0; 3])));
        cloud.pass_seconds(10);
        let done = view(&cloud, created.id);
        assert_eq!(progress(&done), (BatchState::Succeeded, [3, 0, 0]), "{operation:?}");
        assert!(done.time_started.is_some() && done.time_finished.is_some());
        assert_eq!(states(&cloud), [state; 3], "{operation:?}");
        let items = items(&cloud, created.id);
        assert!(items.iter().all(|item| item.state == BatchItemState::Succeeded && item.error.is_none()));
        assert_eq!(
            items.iter().map(|item| item.target_id).collect::<Vec<_>>(),
            instances,
            "in the requested order"
        );
        assert_eq!(items.iter().map(|item| item.position).collect::<Vec<_>>(), [0, 1, 2]);
    }
    create(&mut cloud, "delete", BatchOperation::InstanceDelete, &instances);
    cloud.pass_seconds(1);
    assert!(instances.iter().all(|id| cloud.try_view(*id).is_err()));
}

#[test]
fn storage_and_addresses_are_deleted() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = disks(&mut cloud, 1)[0];
    let snapshot = cloud.snapshot("web", "before", "d0").id;
    cloud.pass_seconds(2);
    let image = cloud.try_image(Some("web"), "debian", snapshot).unwrap().id;
    let address = cloud.floating_ip("web", "fixed").id;
    for (operation, target) in [
        (BatchOperation::ImageDelete, image),
        (BatchOperation::SnapshotDelete, snapshot),
        (BatchOperation::DiskDelete, disk),
        (BatchOperation::FloatingIpDelete, address),
    ] {
        let id = create(&mut cloud, &format!("{operation:?}"), operation, &[target]).id;
        cloud.pass_seconds(1);
        assert_eq!(progress(&view(&cloud, id)).0, BatchState::Succeeded, "{:?}", items(&cloud, id));
    }
    cloud.remove_project("web");
}

#[test]
fn failed_item_does_not_affect_others_and_can_be_retried() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let mut targets = disks(&mut cloud, 3);
    let instance = cloud.instance("web", "db").id;
    cloud.attach(instance, NameOrId::Id(targets[1])).unwrap();
    let stray = unknown_ids(1)[0];
    targets.push(stray);
    let id = create(&mut cloud, "disks", BatchOperation::DiskDelete, &targets).id;
    cloud.pass_seconds(1);
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Failed, [2, 2, 0]));
    let failed = items(&cloud, id);
    assert_eq!(
        refusals(&failed),
        [
            (400, "disk cannot be deleted in state \"attached\"".to_owned()),
            (404, format!("not found: disk with id \"{stray}\"")),
        ]
    );
    assert_eq!(failed[3].error.as_ref().unwrap().error_code.as_deref(), Some("ObjectNotFound"));
    cloud.detach(instance, NameOrId::Id(targets[1])).unwrap();
    assert_eq!(progress(&retry(&mut cloud, id)), (BatchState::Queued, [2, 0, 0]));
    cloud.pass_seconds(1);
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Failed, [3, 1, 0]));
    assert_eq!(refusals(&items(&cloud, id)).len(), 1);
    let entries = audited(&cloud);
    assert_eq!(entries.len(), 6, "one for each attempt of an item");
    assert!(entries.iter().all(|entry| entry.operation_id == "disk_delete"));
    let uris: Vec<_> = entries.iter().map(|entry| entry.request_uri.clone()).collect();
    assert!(uris.contains(&format!("/v1/disks/{stray}#batch={id}")), "{uris:?}");
    cloud.check_invariants();
}

#[test]
fn a_batch_without_failures_is_not_retried_and_one_that_ended_is_not_canceled() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let targets = disks(&mut cloud, 1);
    let id = create(&mut cloud, "disks", BatchOperation::DiskDelete, &targets).id;
    cloud.pass_seconds(1);
    let done = view(&cloud, id);
    assert_eq!(retry(&mut cloud, id), done);
    assert_eq!(cancel(&mut cloud, id), done);
}

#[test]
fn rights_are_checked_when_an_item_runs() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let targets = disks(&mut cloud, 3);
    let user = cloud.user(cloud.admin.silo, "ada");
    let identity = RoleIdentity::User(user.id);
    let set_role = |cloud: &mut Cloud, role: Option<&str>| {
        let assignments = role
            .map(|role| json!({ "identity_type": "silo_user", "identity_id": user.id, "role_name": role }));
        let policy = serde_json::from_value(
            json!({ "role_assignments": assignments.into_iter().collect::<Vec<_>>() }),
        );
        let (admin, policy) = (cloud.admin.clone(), policy.unwrap());
        cloud
            .act(&admin, &operation::PROJECT_POLICY_UPDATE, move |cx, caller| {
                policy::project_update(cx, caller, &by_name("web"), &policy)
            })
            .unwrap();
    };
    cloud.grant(identity, RoleScope::Project(project), Role::Collaborator);
    for (role, expected) in [(Some("viewer"), 403), (None, 404)] {
        let id = create_as(&mut cloud, &user, &format!("{role:?}"), BatchOperation::DiskDelete, &targets);
        let id = id.unwrap().id;
        set_role(&mut cloud, role);
        cloud.pass_seconds(1);
        let refusals = refusals(&items_of(&cloud, &user, id));
        assert_eq!(refusals.iter().map(|(status, _)| *status).collect::<Vec<_>>(), [expected; 3]);
        set_role(&mut cloud, Some("collaborator"));
    }
    assert!(targets.iter().all(|id| cloud.disk_state(*id) == "detached"), "nothing was deleted");
}

#[test]
fn items_of_a_deleted_user_fail() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let targets = disks(&mut cloud, 2);
    let grant = |cloud: &mut Cloud, user: &User| {
        cloud.grant(RoleIdentity::User(user.id), RoleScope::Project(project), Role::Collaborator);
    };
    let (ada, bob) = (cloud.user(cloud.admin.silo, "ada"), cloud.user(cloud.admin.silo, "bob"));
    grant(&mut cloud, &ada);
    grant(&mut cloud, &bob);
    create_as(&mut cloud, &ada, "one", BatchOperation::DiskDelete, &targets).unwrap();
    let kept = create_as(&mut cloud, &bob, "one", BatchOperation::DiskDelete, &targets).unwrap().id;
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::LOCAL_IDP_USER_DELETE, move |cx, caller| {
            user::local_delete(cx, caller, &by_name("croft"), ada.id)
        })
        .unwrap();
    // Delete the user without an operation, which leaves the batch in place.
    cloud
        .rule(move |cx| {
            let mut user: SiloUser = cx.tx.get(bob.id)?.unwrap();
            Ok(cx.tx.delete(&mut user, cx.now)?)
        })
        .unwrap();
    cloud.pass_seconds(1);
    assert!(targets.iter().all(|id| cloud.disk_state(*id) == "detached"), "nothing was deleted");
    let (batches, items) = cloud
        .rule(|cx| {
            let batches: Vec<Batch> = cx.tx.page(ListBy::All, Sort::IdAsc, None, 10)?;
            let items: Vec<BatchItem> = cx.tx.page(ListBy::All, Sort::IdAsc, None, 10)?;
            Ok((batches, items))
        })
        .unwrap();
    assert_eq!(
        batches.iter().map(|batch| batch.meta.id).collect::<Vec<_>>(),
        [kept],
        "the batch of ada is deleted"
    );
    assert_eq!((batches[0].failed, items.len()), (2, 2));
    assert!(items.iter().all(|item| item.error.as_ref().unwrap().http_status_code == 403));
}

#[test]
fn a_repeated_request_answers_the_same_batch() {
    let mut cloud = Cloud::new();
    let targets = unknown_ids(2);
    let first = create(&mut cloud, "key", BatchOperation::DiskDelete, &targets);
    assert_eq!(create(&mut cloud, "key", BatchOperation::DiskDelete, &targets), first);
    cloud.pass_seconds(1);
    let again = create(&mut cloud, "key", BatchOperation::DiskDelete, &targets);
    assert_eq!((again.id, progress(&again)), (first.id, (BatchState::Failed, [0, 2, 0])));
    let admin = cloud.admin.clone();
    let reversed: Vec<_> = targets.iter().rev().copied().collect();
    for (operation, targets) in
        [(BatchOperation::ImageDelete, &targets), (BatchOperation::DiskDelete, &reversed)]
    {
        let other = refused(create_as(&mut cloud, &admin, "key", operation, targets));
        let text =
            "another batch with other operations has this idempotency key; use a new key for each batch";
        assert_eq!(other, (409, text.to_owned()));
    }
    let user = cloud.user(admin.silo, "ada");
    let own = create_as(&mut cloud, &user, "key", BatchOperation::ImageDelete, &targets).unwrap();
    assert_ne!(own.id, first.id, "keys of other users do not matter");
}

#[test]
fn malformed_batches_are_refused() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let [one, two, many] = [1, 2, 1001].map(unknown_ids);
    let (empty, twice, long) = (Vec::new(), [two.clone(), one.clone()].concat(), "k".repeat(129));
    for (key, targets, text) in [
        ("", &one, "unsupported value for \"idempotency_key\": must have 1 to 128 characters"),
        (&*long, &one, "unsupported value for \"idempotency_key\": must have 1 to 128 characters"),
        (
            "k",
            &empty,
            "unsupported value for \"items\": must have 1 to 1000 items; make several batches of more",
        ),
        (
            "k",
            &many,
            "unsupported value for \"items\": must have 1 to 1000 items; make several batches of more",
        ),
        (
            "k",
            &twice,
            "unsupported value for \"items\": items 0 and 2 name the same target; name each target once",
        ),
    ] {
        let refusal = refused(create_as(&mut cloud, &admin, key, BatchOperation::DiskDelete, targets));
        assert_eq!(refusal, (400, text.to_owned()));
    }
}

#[test]
fn a_user_has_a_bounded_number_of_unfinished_batches() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let one = unknown_ids(1);
    for number in 0..16 {
        create(&mut cloud, &format!("key {number}"), BatchOperation::DiskDelete, &one);
    }
    let text = "you have 16 batches that have not ended; wait until one of them has, or cancel one";
    let refusal = refused(create_as(&mut cloud, &admin, "more", BatchOperation::DiskDelete, &one));
    assert_eq!(refusal, (409, text.to_owned()));
    create(&mut cloud, "key 3", BatchOperation::DiskDelete, &one);
    let user = cloud.user(admin.silo, "ada");
    create_as(&mut cloud, &user, "more", BatchOperation::DiskDelete, &one).unwrap();
    cloud.pass_seconds(1);
    let id = create(&mut cloud, "more", BatchOperation::DiskDelete, &one).id;
    cloud.pass_seconds(1);
    for number in 0..16 {
        create(&mut cloud, &format!("another {number}"), BatchOperation::DiskDelete, &one);
    }
    let again = cloud.act(&admin, &operation::BATCH_RETRY, move |cx, caller| batch::retry(cx, caller, id));
    assert_eq!(refused(again), (409, text.to_owned()));
}

#[test]
fn items_that_have_not_been_begun_are_canceled() {
    let mut cloud = Cloud::new();
    let id = create(&mut cloud, "many", BatchOperation::DiskDelete, &unknown_ids(1000)).id;
    cloud.settle();
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Running, [0, 16, 0]));
    let canceled = cancel(&mut cloud, id);
    assert_eq!(progress(&canceled), (BatchState::Canceled, [0, 16, 984]));
    cloud.pass_seconds(10);
    assert_eq!(view(&cloud, id), canceled, "no more items are executed");
    let states: Vec<_> = items(&cloud, id).iter().map(|item| item.state).collect();
    assert_eq!(states[..16], [BatchItemState::Failed; 16]);
    assert!(states[16..].iter().all(|state| *state == BatchItemState::Canceled));
    assert_eq!(progress(&retry(&mut cloud, id)), (BatchState::Queued, [0; 3]));
    cloud.pass_seconds(1);
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Failed, [0, 1000, 0]));
    assert_eq!(audited(&cloud).len(), 1016);
}

/// One thread executes a batch while another cancels it.
#[test]
fn each_item_is_canceled_or_done_exactly_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut cloud = Cloud::with(SimulatedOptions::default(), file(folder.path()));
    let (db, environment, host) = (cloud.db.clone(), Arc::clone(&cloud.environment), Arc::clone(&cloud.host));
    let (is_over, start) = (Arc::<AtomicBool>::default(), cloud.now);
    let worker = {
        let is_over = Arc::clone(&is_over);
        std::thread::spawn(move || {
            let (mut reconciler, mut random) = (Reconciler::new(environment), SeededRandom::new([3; 32]));
            let mut now = start;
            while !is_over.load(Ordering::Relaxed) {
                reconciler.step(&db, now, &mut random, &*host).unwrap();
                now += SignedDuration::from_micros(1);
            }
        })
    };
    let mut ended = 0;
    for round in 0..8 {
        let id =
            create(&mut cloud, &format!("round {round}"), BatchOperation::DiskDelete, &unknown_ids(400)).id;
        while view(&cloud, id).failed < 40 * round {
            std::thread::yield_now();
        }
        let canceled = cancel(&mut cloud, id);
        ended += canceled.failed;
        let items = items(&cloud, id);
        let count = |state| items.iter().filter(|item| item.state == state).count();
        let counts = [BatchItemState::Failed, BatchItemState::Canceled].map(count);
        assert_eq!(counts.map(|count| u32::try_from(count).unwrap()), [canceled.failed, canceled.canceled]);
        assert_eq!(canceled.failed + canceled.canceled, 400);
    }
    is_over.store(true, Ordering::Relaxed);
    worker.join().unwrap();
    assert_eq!(audited(&cloud).len(), ended as usize, "no item is executed after the cancellation");
}

#[test]
fn a_small_batch_does_not_wait_for_a_large_one() {
    let mut cloud = Cloud::new();
    let large = create(&mut cloud, "large", BatchOperation::DiskDelete, &unknown_ids(1000)).id;
    let small: Vec<_> = (0..5)
        .map(|number| {
            create(&mut cloud, &format!("small {number}"), BatchOperation::DiskDelete, &unknown_ids(2)).id
        })
        .collect();
    let ended = |cloud: &Cloud| small.iter().filter(|id| view(cloud, **id).time_finished.is_some()).count();
    cloud.settle();
    assert_eq!(ended(&cloud), 5);
    assert_eq!(view(&cloud, large).failed, 16, "the large batch continues after the small ones");
}

#[test]
fn an_item_waits_until_its_target_is_made() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "fresh").id;
    let id = create(&mut cloud, "fresh", BatchOperation::DiskDelete, &[disk, unknown_ids(1)[0]]).id;
    cloud.settle();
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Running, [0, 1, 0]), "the other item does not wait");
    cloud.pass_seconds(3);
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Failed, [1, 1, 0]));
    assert_eq!(audited(&cloud).len(), 2, "attempts without a result are not audited");
}

#[test]
fn an_item_whose_target_is_not_made_in_time_fails() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "slow").id;
    cloud.modify_disk_record(disk, |disk| disk.time_due = None);
    let id = create(&mut cloud, "slow", BatchOperation::DiskDelete, &[disk]).id;
    cloud.pass_seconds(9);
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Running, [0; 3]));
    cloud.pass_seconds(2);
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Failed, [0, 1, 0]));
    assert_eq!(
        refusals(&items(&cloud, id)),
        [(400, "disk cannot be deleted in state \"creating\"".to_owned())]
    );
}

#[test]
fn waiting_items_can_be_canceled() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "slow").id;
    let id = create(&mut cloud, "slow", BatchOperation::DiskDelete, &[disk]).id;
    cloud.settle();
    assert_eq!(progress(&cancel(&mut cloud, id)), (BatchState::Canceled, [0, 0, 1]));
    cloud.pass_seconds(20);
    assert_eq!(cloud.disk_state(disk), "detached");
}

#[test]
fn batch_detects_a_lost_machine_like_a_single_operation() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let instance = cloud.running("web", "db").id;
    let machine = cloud.hypervisor.machines()[0];
    cloud.hypervisor.forget_machine(machine);
    cloud.hypervisor.take_events();
    let id = create(&mut cloud, "stop", BatchOperation::InstanceStop, &[instance]).id;
    cloud.settle();
    assert_eq!(refusals(&items(&cloud, id))[0].0, 503);
    assert_eq!(cloud.state(instance), InstanceState::Failed);
}

#[test]
fn batch_resumes_after_a_crash() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let targets = disks(&mut cloud, 40);
    let id = create(&mut cloud, "disks", BatchOperation::DiskDelete, &targets).id;
    for done in [16, 32] {
        cloud.settle();
        assert_eq!(progress(&view(&cloud, id)), (BatchState::Running, [done, 0, 0]));
        cloud.restart_server();
        cloud.now += SignedDuration::from_micros(1);
    }
    cloud.pass_seconds(1);
    assert_eq!(
        progress(&view(&cloud, id)),
        (BatchState::Succeeded, [40, 0, 0]),
        "each item was executed once"
    );
    assert_eq!(audited(&cloud).len(), 40);
}

#[test]
fn a_clock_that_is_set_back_does_not_stop_a_batch() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "fresh").id;
    let id =
        create(&mut cloud, "disks", BatchOperation::DiskDelete, &[vec![disk], unknown_ids(20)].concat()).id;
    cloud.settle();
    cloud.now -= SignedDuration::from_hours(24);
    cloud.pass_seconds(30);
    // The host uses the same clock, so the disk is not created in time.
    assert_eq!(progress(&view(&cloud, id)), (BatchState::Failed, [0, 21, 0]));
}

#[test]
fn batch_is_visible_to_its_owner_only() {
    let mut cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let ada = cloud.user(silo, "ada");
    let id = create_as(&mut cloud, &ada, "key", BatchOperation::DiskDelete, &unknown_ids(1)).unwrap().id;
    let hidden = cloud.see(&cloud.admin, move |cx, caller| batch::view(cx, caller, id));
    assert_eq!(refused(hidden), (404, format!("not found: batch with id \"{id}\"")));
    let query =
        PageQuery { selector: NoSelector {}, sort: NewestFirstSortMode::default(), after: None, limit: 10 };
    for (user, count) in [(&ada, 1), (&cloud.admin, 0)] {
        let query = query.clone();
        let page = cloud.see(user, move |cx, caller| batch::list(cx, caller, &query)).unwrap();
        assert_eq!(page.items.len(), count);
    }
    cloud.pass_seconds(1);
    let changes = cloud.db.read_blocking(|tx| tx.changes_since(0, 100_000)).unwrap();
    let events: Vec<_> = changes.into_iter().filter(|change| change.kind == Batch::TABLE.name).collect();
    assert_eq!(events.len(), 2, "one event for the creation and one for the end");
    for (user, sees) in [(&ada, true), (&cloud.admin, false)] {
        let (change, id, silo) = (events[0].clone(), user.id, user.silo);
        let found = cloud
            .see(user, move |cx, _| AccessCache::new(id, silo).can_read(cx, event::needs(&change).unwrap()));
        assert_eq!(found, Ok(sees));
    }
}

#[test]
fn batches_are_listed_with_the_newest_first_and_removed_a_week_after_their_end() {
    let mut cloud = Cloud::new();
    let mut ids = Vec::new();
    for number in 0..20 {
        ids.insert(
            0,
            create(&mut cloud, &format!("key {number}"), BatchOperation::DiskDelete, &unknown_ids(3)).id,
        );
        cloud.pass_seconds(1);
    }
    let list = |cloud: &Cloud| {
        let sort = NewestFirstSortMode::default();
        let query = PageQuery { selector: NoSelector {}, sort, after: None, limit: 100 };
        let page = cloud.see(&cloud.admin, move |cx, caller| batch::list(cx, caller, &query)).unwrap();
        page.items.iter().map(|batch| batch.id).collect::<Vec<_>>()
    };
    assert_eq!(list(&cloud), ids);
    cloud.now += SignedDuration::from_hours(7 * 24 - 2);
    cloud.settle();
    assert_eq!(list(&cloud), ids);
    cloud.pass(SignedDuration::from_hours(3));
    assert_eq!(list(&cloud), Vec::<Uuid>::new());
    let left = cloud.rule(|cx| Ok(cx.tx.count::<BatchItem>(ListBy::All)?)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn deleted_silo_removes_its_batches() {
    let mut cloud = Cloud::new();
    let silo = cloud.silo("other", Resources { cpus: 1, memory: GIB, storage: GIB });
    let user = cloud.user(silo, "ada");
    create_as(&mut cloud, &user, "key", BatchOperation::DiskDelete, &unknown_ids(30)).unwrap();
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::SILO_DELETE, |cx, caller| {
            croft_control::silo::delete(cx, caller, &by_name("other"))
        })
        .unwrap();
    cloud.pass_seconds(1);
    let left =
        cloud.rule(|cx| Ok((cx.tx.count::<Batch>(ListBy::All)?, cx.tx.count::<BatchItem>(ListBy::All)?)));
    assert_eq!(left, Ok((0, 0)));
    assert_eq!(audited(&cloud).len(), 0);
}
