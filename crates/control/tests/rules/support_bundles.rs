//! The life cycle of support bundles, with archives in memory.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex},
};

use croft_api::{
    Error, Result,
    page::{NoSelector, PageQuery, TimeAndIdSortMode},
    support_bundle::{SupportBundleCreate, SupportBundleInfo, SupportBundleState, SupportBundleUpdate},
};
use croft_control::{
    Environment, SecretKey, SeededRandom, Settings, operation,
    reconcile::Reconciler,
    support_bundle::{self, Archives, Collector, Content, Member, Sources},
};
use croft_store::{
    ListBy, Sort,
    records::{AuditActor, AuditEntry},
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::kit::{Cloud, refused, status};

/// Called while an archive is written.
type Hook = Box<dyn FnMut() + Send>;

#[derive(Default)]
struct InMemory {
    kept: Mutex<BTreeMap<Uuid, Vec<Member>>>,
    is_full: Mutex<bool>,
    meanwhile: Mutex<Option<Hook>>,
}

impl Archives for InMemory {
    fn make(
        &self,
        bundle: Uuid,
        members: &[Member],
        is_wanted: &mut dyn FnMut() -> bool,
    ) -> io::Result<bool> {
        if let Some(mut meanwhile) = self.meanwhile.lock().unwrap().take() {
            meanwhile();
        }
        if *self.is_full.lock().unwrap() {
            return Err(io::Error::other("no space left"));
        }
        if !is_wanted() {
            return Ok(false);
        }
        self.kept.lock().unwrap().insert(bundle, members.to_vec());
        Ok(true)
    }

    fn remove(&self, bundle: Uuid) -> io::Result<()> {
        self.kept.lock().unwrap().remove(&bundle);
        Ok(())
    }

    fn open(&self, _: Uuid) -> io::Result<Box<dyn Content>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn names(&self, _: Uuid) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn member(&self, _: Uuid, _: &str) -> io::Result<Option<Vec<u8>>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

struct Nothing;

impl Sources for Nothing {
    fn members(&self) -> Vec<Member> {
        vec![Member::text("server/log", "a line\n")]
    }
}

struct Fixture {
    cloud: Cloud,
    archives: Arc<InMemory>,
    collector: Collector,
}

impl Fixture {
    fn new() -> Self {
        let cloud = Cloud::new();
        let archives = Arc::<InMemory>::default();
        let collector = collector(&cloud, &archives, 1);
        Self { cloud, archives, collector }
    }

    fn create(&mut self) -> Result<SupportBundleInfo> {
        let admin = self.cloud.admin.clone();
        self.cloud.act(&admin, &operation::SUPPORT_BUNDLE_CREATE, |cx, caller| {
            support_bundle::create(cx, caller, &SupportBundleCreate::default())
        })
    }

    fn delete(&mut self, id: Uuid) -> Result<()> {
        let admin = self.cloud.admin.clone();
        self.cloud.act(&admin, &operation::SUPPORT_BUNDLE_DELETE, move |cx, caller| {
            support_bundle::delete(cx, caller, id)
        })
    }

    fn comment(&mut self, id: Uuid, text: Option<String>) -> Result<SupportBundleInfo> {
        let admin = self.cloud.admin.clone();
        let params = SupportBundleUpdate { user_comment: text };
        self.cloud.act(&admin, &operation::SUPPORT_BUNDLE_UPDATE, move |cx, caller| {
            support_bundle::update(cx, caller, id, &params)
        })
    }

    fn view(&self, id: Uuid) -> Result<SupportBundleInfo> {
        self.cloud.see(&self.cloud.admin, move |cx, caller| support_bundle::view(cx, caller, id))
    }

    fn state(&self, id: Uuid) -> SupportBundleState {
        self.view(id).unwrap().state
    }

    fn settle(&self) {
        while self.collector.step(self.cloud.now).unwrap() {}
    }

    fn kept(&self) -> usize {
        self.archives.kept.lock().unwrap().len()
    }
}

fn collector(cloud: &Cloud, archives: &Arc<InMemory>, run: u128) -> Collector {
    Collector::new(
        Uuid::from_u128(run),
        cloud.db.clone(),
        cloud.hypervisor.clone(),
        archives.clone(),
        Arc::new(Nothing),
    )
}

#[test]
fn a_bundle_is_collected_and_removed() {
    let mut fixture = Fixture::new();
    let bundle = fixture.create().unwrap();
    assert_eq!(bundle.state, SupportBundleState::Collecting);
    assert_eq!(bundle.reason_for_creation, "Created by external API");
    let early = fixture
        .cloud
        .see(&fixture.cloud.admin, move |cx, caller| support_bundle::may_download(cx, caller, bundle.id));
    assert_eq!(refused(early), (400, "Cannot download bundle in non-active state".to_owned()));
    fixture.settle();
    assert_eq!(fixture.state(bundle.id), SupportBundleState::Active);
    let members = fixture.archives.kept.lock().unwrap()[&bundle.id].clone();
    let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names[0], "bundle_id.txt");
    for name in
        ["sp_task_dumps/", "state/audit.json", "state/tables.json", "state/objects.json", "server/log"]
    {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(names.iter().any(|name| name.starts_with("rack/") && name.ends_with("/inventory.json")));
    fixture.delete(bundle.id).unwrap();
    assert_eq!(fixture.state(bundle.id), SupportBundleState::Destroying);
    let again = refused(fixture.delete(bundle.id));
    let text = "Cannot update support bundle state from Destroying to Destroying";
    assert_eq!(again, (400, text.to_owned()));
    fixture.settle();
    let gone = refused(fixture.view(bundle.id));
    assert_eq!(gone, (404, format!("not found: support-bundle with id \"{}\"", bundle.id)));
    assert_eq!(fixture.kept(), 0);
}

#[test]
fn number_of_bundles_is_bounded() {
    let mut fixture = Fixture::new();
    let ids: Vec<Uuid> = (0..10).map(|_| fixture.create().unwrap().id).collect();
    let full = refused(fixture.create());
    assert_eq!(full.0, 507);
    assert!(
        full.1.contains("You must delete old support bundles before new ones can be created"),
        "{full:?}"
    );
    fixture.settle();
    assert_eq!((fixture.kept(), refused(fixture.create()).0), (10, 507));
    fixture.delete(ids[3]).unwrap();
    assert_eq!(refused(fixture.create()).0, 507, "counted until its data is removed");
    fixture.settle();
    fixture.create().unwrap();
}

#[test]
fn failed_bundles_can_be_deleted() {
    let mut fixture = Fixture::new();
    *fixture.archives.is_full.lock().unwrap() = true;
    let id = fixture.create().unwrap().id;
    assert!(fixture.collector.step(fixture.cloud.now).unwrap());
    assert_eq!(fixture.state(id), SupportBundleState::Failed, "failed until its data is removed");
    fixture.settle();
    let view = fixture.view(id).unwrap();
    assert_eq!(
        (view.state, view.reason_for_failure.as_deref()),
        (SupportBundleState::Failed, Some("no space left"))
    );
    for _ in 0..10 {
        fixture.create().unwrap();
    }
    fixture.delete(id).unwrap();
    assert_eq!(refused(fixture.view(id)).0, 404, "removed immediately");
}

#[test]
fn deletion_cancels_a_running_collection() {
    let mut fixture = Fixture::new();
    let id = fixture.create().unwrap().id;
    let database = fixture.cloud.db.clone();
    let meanwhile = move || {
        let deleted = database.write_blocking(move |tx| {
            let mut bundle: croft_store::records::SupportBundle = tx.get(id)?.unwrap();
            bundle.state = croft_store::records::BundleState::Destroying;
            Ok::<_, Error>(tx.update(&mut bundle)?)
        });
        deleted.unwrap();
    };
    *fixture.archives.meanwhile.lock().unwrap() = Some(Box::new(meanwhile));
    fixture.settle();
    assert_eq!((refused(fixture.view(id)).0, fixture.kept()), (404, 0));
}

#[test]
fn a_restarted_server_fails_bundles_in_progress() {
    let mut fixture = Fixture::new();
    let [begun, waiting] = [(); 2].map(|()| fixture.create().unwrap().id);
    fixture
        .cloud
        .rule(move |cx| {
            let mut bundle: croft_store::records::SupportBundle = cx.tx.get(begun)?.unwrap();
            bundle.collector = Some(Uuid::from_u128(1));
            Ok(cx.tx.update(&mut bundle)?)
        })
        .unwrap();
    fixture.collector = collector(&fixture.cloud, &fixture.archives, 2);
    fixture.collector.start(fixture.cloud.now).unwrap();
    fixture.settle();
    let view = fixture.view(begun).unwrap();
    assert_eq!(view.state, SupportBundleState::Failed);
    assert!(view.reason_for_failure.unwrap().contains("restarted"));
    assert_eq!(fixture.state(waiting), SupportBundleState::Active, "the collection had not begun");
}

#[test]
fn comments_are_limited_and_cleared() {
    let mut fixture = Fixture::new();
    let id = fixture.create().unwrap().id;
    let long = "ä".repeat(2048);
    assert_eq!(fixture.comment(id, Some(long.clone())).unwrap().user_comment, Some(long.clone()));
    let too_long = refused(fixture.comment(id, Some(format!("{long}x"))));
    assert_eq!(too_long, (400, "User comment cannot exceed 4096 bytes".to_owned()));
    assert_eq!(fixture.comment(id, None).unwrap().user_comment, None);
}

#[test]
fn bundles_are_listed_in_order_of_time() {
    let mut fixture = Fixture::new();
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(fixture.create().unwrap().id);
        fixture.cloud.pass_seconds(1);
    }
    let page = |sort| {
        let query = PageQuery { selector: NoSelector {}, sort, after: None, limit: 10 };
        let list = fixture
            .cloud
            .see(&fixture.cloud.admin, move |cx, caller| support_bundle::list(cx, caller, &query));
        list.unwrap().items.iter().map(|bundle| bundle.id).collect::<Vec<_>>()
    };
    assert_eq!(page(TimeAndIdSortMode::TimeAndIdAscending), ids);
    ids.reverse();
    assert_eq!(page(TimeAndIdSortMode::TimeAndIdDescending), ids);
}

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// The server's own entries in the audit log: operation, URI, and whether it belongs to a request.
fn own_entries(fixture: &mut Fixture) -> Vec<(String, String, bool)> {
    let entries =
        fixture.cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::TimeAsc, None, 100)?));
    let mut entries = entries.unwrap();
    entries.retain(|entry| matches!(entry.actor, AuditActor::UserBuiltin { .. }));
    entries
        .into_iter()
        .map(|entry| (entry.operation_id, entry.request_uri, entry.source_ip.is_some()))
        .collect()
}

#[test]
fn old_bundles_are_deleted_automatically() {
    let mut fixture = Fixture::new();
    let failed = fixture.create().unwrap().id;
    *fixture.archives.is_full.lock().unwrap() = true;
    fixture.settle();
    *fixture.archives.is_full.lock().unwrap() = false;
    let active = fixture.create().unwrap().id;
    fixture.settle();
    let waiting = fixture.create().unwrap().id;
    fixture.cloud.pass(DAY * 15);
    let recent = fixture.create().unwrap().id;
    fixture.cloud.pass(DAY * 15);
    assert_eq!(fixture.state(failed), SupportBundleState::Failed, "kept for 30 days");
    assert_eq!(own_entries(&mut fixture), []);

    fixture.cloud.pass(SignedDuration::from_hours(1));
    assert_eq!(refused(fixture.view(failed)).0, 404, "removed immediately, because it has no data");
    for id in [active, waiting] {
        assert_eq!(fixture.state(id), SupportBundleState::Destroying);
    }
    fixture.settle();
    assert_eq!(fixture.state(recent), SupportBundleState::Active);
    assert_eq!(fixture.kept(), 1);
    let mut acts = own_entries(&mut fixture);
    acts.sort();
    let mut expected = [failed, active, waiting].map(|id| {
        let path = format!("/experimental/v1/system/support-bundles/{id}");
        ("support_bundle_expire".to_owned(), path, false)
    });
    expected.sort();
    assert_eq!(acts, expected);
    fixture.cloud.pass(DAY * 14);
    assert_eq!(own_entries(&mut fixture).len(), 3, "each bundle is removed once");
}

#[test]
fn bundle_retention_can_be_disabled() {
    let mut fixture = Fixture::new();
    let id = fixture.create().unwrap().id;
    fixture.settle();
    let settings = Settings { support_bundle_retention: None, ..Settings::default() };
    let environment = Environment::new(settings, SecretKey::new([7; 32]), status);
    let mut reconciler = Reconciler::new(Arc::new(environment));
    fixture.cloud.now += DAY * 36_500;
    let cloud = &fixture.cloud;
    let mut random = SeededRandom::new([3; 32]);
    reconciler.step(&cloud.db, cloud.now, &mut random, &*cloud.hypervisor).unwrap();
    assert_eq!(fixture.kept(), 1);
    let found = fixture.cloud.rule(move |cx| Ok(cx.tx.get::<croft_store::records::SupportBundle>(id)?));
    assert_eq!(found.unwrap().unwrap().state, croft_store::records::BundleState::Active);
}
