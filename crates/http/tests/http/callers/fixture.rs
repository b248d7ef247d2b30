use std::time::Duration;

use croft_api::Error;
use croft_control::{Cx, login, token};
use croft_store::{
    ListBy, Meta, Record, Sort,
    records::{
        AuditEntry, AuthSettings, BgpAnnounceSet, Certificate, Disk, FactorProof, IdentityMode, Image,
        Instance, IpPool, PendingStep, Project, Rack, Resources, Role, RoleAssignment, RoleIdentity,
        RoleScope, SamlIdentityProvider, SecondFactor, Silo, SiloGroup, SiloGroupMembership, SiloUser,
        Snapshot, SshKey, Usage, Vpc,
    },
};
use jiff::SignedDuration;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Row;
use crate::{
    cloud::{Answer, Client, Cloud},
    document::Documented,
};

/// The silo under test. The silo of the first start is unsuitable: its admins have a role on the fleet.
pub const SILO: &str = "tenant";
/// The silo of the operators, on which they have no role.
const FLEET_SILO: &str = "operators";
/// Another tenant's silo.
const RIVAL: &str = "rival";
/// The project that contains all objects.
const PROJECT: &str = "web";

/// What a caller's role is assigned on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Nothing,
    Project,
    Silo,
    Fleet,
}

/// The authenticated callers, in the order of the table's letters: name, silo, and role with what it is assigned on.
pub const CALLERS: [(&str, &str, On, Role); 11] = [
    ("other-silo-admin", RIVAL, On::Silo, Role::Admin),
    ("no-role", SILO, On::Nothing, Role::Viewer),
    ("project-viewer", SILO, On::Project, Role::Viewer),
    ("project-collaborator", SILO, On::Project, Role::Collaborator),
    ("project-admin", SILO, On::Project, Role::Admin),
    ("silo-viewer", SILO, On::Silo, Role::Viewer),
    ("silo-collaborator", SILO, On::Silo, Role::Collaborator),
    ("silo-admin", SILO, On::Silo, Role::Admin),
    ("fleet-viewer", FLEET_SILO, On::Fleet, Role::Viewer),
    ("fleet-collaborator", FLEET_SILO, On::Fleet, Role::Collaborator),
    ("fleet-admin", FLEET_SILO, On::Fleet, Role::Admin),
];

/// The index of the admin of the silo under test.
const SILO_ADMIN: usize = 7;
/// The index of the user of that silo without a role.
const NO_ROLE: usize = 1;

struct Person {
    id: Uuid,
    token: Uuid,
    credentials: String,
}

/// A cloud with three silos, a user for every kind of caller, and one object of each kind.
pub struct Fixture {
    cloud: Cloud,
    people: Vec<Person>,
    project: Uuid,
    group: Uuid,
    snapshot: Uuid,
    rack: Uuid,
    secret: Uuid,
    alert: Uuid,
    user_code: String,
    batch: Uuid,
}

impl Fixture {
    pub async fn new() -> Self {
        let cloud = Cloud::new();
        for name in [SILO, RIVAL, FLEET_SILO] {
            add_silo(&cloud, name);
        }
        let project = add_project(&cloud);
        let people: Vec<_> = CALLERS.iter().map(|caller| add_person(&cloud, *caller, project)).collect();
        let group = add_group(&cloud);
        furnish_silo(&cloud, project);
        let admin = cloud.anonymous().with("authorization", &people[SILO_ADMIN].credentials);
        let user_code = super::rows::furnish(&cloud, &admin).await;
        let snapshot = cloud.rule(move |cx| Ok(cx.tx.get_by_name::<Snapshot>(project, "before")?));
        let snapshot = snapshot.unwrap().unwrap().meta.id;
        let rack = furnish_rack(&cloud).await;
        let (secret, alert) = super::rows::furnish_receiver(&cloud).await;
        let no_role = cloud.anonymous().with("authorization", &people[NO_ROLE].credentials);
        let batch = super::rows::furnish_batch(&no_role).await;
        Self { cloud, people, project, group, snapshot, rack, secret, alert, user_code, batch }
    }

    pub fn cloud(&self) -> &Cloud {
        &self.cloud
    }

    /// Returns a client that sends the caller's access token.
    pub fn caller(&self, index: usize) -> Client<'_> {
        self.cloud.anonymous().with("authorization", &self.people[index].credentials)
    }

    /// Returns clients without credentials and with forged or expired credentials.
    pub async fn unauthenticated(&self) -> Vec<(&'static str, Client<'_>)> {
        let session = self.cloud.signed_in().await;
        let life = SignedDuration::from_secs(1);
        let token = self.cloud.rule(move |cx| {
            let (user, name) = (CALLERS[SILO_ADMIN].0.parse().unwrap(), "test".parse().unwrap());
            token::create(cx, &SILO.parse().unwrap(), &user, &name, Some(life))
        });
        let expired = format!("Bearer {}", token.unwrap().text);
        self.cloud.clock.advance(Duration::from_hours(9));
        let anonymous = self.cloud.anonymous();
        vec![
            ("nobody", anonymous.clone()),
            (
                "a forged token",
                anonymous.clone().with("authorization", &format!("Bearer croft-token-{:040}", 0)),
            ),
            ("an expired token", anonymous.with("authorization", &expired)),
            ("an expired session", session),
        ]
    }

    /// Returns a client of the silo's admin whose session is pending at this step of sign-in.
    pub fn with_pending_step(&self, step: PendingStep) -> Client<'_> {
        let id = self.people[SILO_ADMIN].id;
        let session = self.cloud.rule(move |cx| {
            let mut user: SiloUser = cx.tx.get(id)?.unwrap();
            user.password_hash = Some("hash".to_owned());
            user.must_change_password = step == PendingStep::ChoosePassword;
            cx.tx.update(&mut user)?;
            if step == PendingStep::VerifySecondFactor {
                let proof = FactorProof::Totp { sealed_secret: String::new(), last_step: 0 };
                let (meta, name) = (cx.new_meta(), "phone".to_owned());
                let silo_id = user.silo_id;
                cx.tx.insert(&SecondFactor {
                    meta,
                    user_id: id,
                    silo_id,
                    name,
                    proof,
                    time_last_used: None,
                })?;
            }
            if step == PendingStep::SetUpSecondFactor {
                let meta = Meta::new(user.silo_id, cx.now);
                let device_token_max_ttl_seconds = None;
                cx.tx.insert(&AuthSettings {
                    meta,
                    device_token_max_ttl_seconds,
                    require_second_factor: true,
                })?;
            }
            login::without_proof(cx, id)
        });
        let session = session.unwrap();
        assert_eq!(session.pending, Some(step));
        self.cloud.anonymous().with("cookie", &format!("session={}", session.token))
    }

    pub fn audit_log(&self) -> Vec<AuditEntry> {
        self.cloud
            .rule(|cx| {
                let all = cx.tx.page(ListBy::All, Sort::TimeAsc, None, usize::MAX >> 1)?;
                assert!(all.iter().all(|entry: &AuditEntry| entry.time_started <= entry.meta.time_created));
                Ok(all)
            })
            .unwrap()
    }

    /// Returns the number of changes, without entries of the audit log and updates of sessions.
    pub fn changes(&self) -> usize {
        self.cloud
            .rule(|cx| {
                let changes = cx.tx.changes_since(0, usize::MAX >> 1)?;
                let counts = |kind: &str| !matches!(kind, "audit_entry" | "console_session");
                Ok(changes.iter().filter(|change| counts(&change.kind)).count())
            })
            .unwrap()
    }

    /// Updates one record of each of several kinds, without a request.
    pub fn change_one_of_each(&self) {
        self.cloud
            .rule(|cx| {
                let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
                let silo = silo.meta.id;
                let mut project: Project = cx.tx.get_by_name(silo, PROJECT)?.unwrap();
                let id = project.meta.id;
                cx.tx.update(&mut project)?;
                touch::<Disk>(cx, id, "data")?;
                touch::<Instance>(cx, id, "db")?;
                touch::<Vpc>(cx, id, "default")?;
                touch::<Image>(cx, id, "mine")?;
                touch::<Certificate>(cx, silo, "cert")?;
                touch::<SiloUser>(cx, silo, "no-role")?;
                touch::<IpPool>(cx, Uuid::nil(), "default")?;
                touch::<BgpAnnounceSet>(cx, Uuid::nil(), "ours")
            })
            .unwrap();
    }

    pub async fn ask(
        &self,
        client: &Client<'_>,
        caller: Option<usize>,
        row: &Row,
        operation: &Documented,
    ) -> Answer {
        let uri = self.path(caller, row, operation);
        let client = client.clone().with("host", "croft.test");
        if let Some(form) = row.form {
            let client = client.with("content-type", "application/x-www-form-urlencoded");
            return client.send(operation.method.clone(), &uri, form).await;
        }
        let body = row.body.as_ref().map(|body| self.filled_in(caller, body)).unwrap_or_default();
        client.send(operation.method.clone(), &uri, body).await
    }

    /// Returns the row's path and query, with the parameters filled in.
    pub fn path(&self, caller: Option<usize>, row: &Row, operation: &Documented) -> String {
        let segments = operation.path.split('/').map(|segment| {
            let Some(parameter) = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
                return segment.to_owned();
            };
            let given = row.path.iter().find(|(name, _)| *name == parameter).map(|(_, value)| *value);
            self.value(caller, given.unwrap_or_else(|| super::rows::usual(parameter)))
        });
        let path = segments.collect::<Vec<_>>().join("/");
        if row.query.is_empty() { path } else { format!("{path}?{}", self.value(caller, row.query)) }
    }

    fn filled_in(&self, caller: Option<usize>, body: &Value) -> String {
        self.value(caller, &body.to_string())
    }

    /// Replaces placeholders by IDs.
    fn value(&self, caller: Option<usize>, text: &str) -> String {
        let own = &self.people[caller.unwrap_or(1)];
        let id_of = |name: &str| {
            let index = CALLERS.iter().position(|caller| caller.0 == name).unwrap();
            self.people[index].id.to_string()
        };
        text.replace("<own-id>", &own.id.to_string())
            .replace("<own-token>", &own.token.to_string())
            .replace("<no-role-id>", &id_of("no-role"))
            .replace("<project-id>", &self.project.to_string())
            .replace("<group-id>", &self.group.to_string())
            .replace("<snapshot-id>", &self.snapshot.to_string())
            .replace("<rack-id>", &self.rack.to_string())
            .replace("<secret-id>", &self.secret.to_string())
            .replace("<alert-id>", &self.alert.to_string())
            .replace("<user-code>", &self.user_code)
            .replace("<batch-id>", &self.batch.to_string())
            .replace("<project-id>", &self.project.to_string())
    }
}

fn touch<R: Record>(cx: &mut Cx<'_, '_>, parent: Uuid, name: &str) -> Result<(), Error> {
    let mut record: R = cx.tx.get_by_name(parent, name)?.unwrap();
    Ok(cx.tx.update(&mut record)?)
}

fn add_silo(cloud: &Cloud, name: &'static str) {
    cloud
        .rule(move |cx| {
            let silo = Silo {
                meta: cx.new_meta(),
                name: name.parse().unwrap(),
                description: "".into(),
                discoverable: true,
                identity_mode: IdentityMode::LocalOnly,
                mapped_fleet_roles: std::collections::BTreeMap::default(),
            };
            cx.tx.insert(&silo)?;
            let plenty = Resources { cpus: 100, memory: 1 << 40, storage: 1 << 40 };
            let usage = Usage::none(Meta::new(silo.meta.id, cx.now), Some(silo.meta.id), None, Some(plenty));
            Ok(cx.tx.insert(&usage)?)
        })
        .unwrap();
}

fn add_project(cloud: &Cloud) -> Uuid {
    cloud
        .rule(|cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            let project = Project {
                meta: cx.new_meta(),
                silo_id: silo.meta.id,
                name: PROJECT.parse().unwrap(),
                description: "".into(),
            };
            cx.tx.insert(&project)?;
            let usage = Usage::none(
                Meta::new(project.meta.id, cx.now),
                Some(silo.meta.id),
                Some(project.meta.id),
                None,
            );
            cx.tx.insert(&usage)?;
            Ok(project.meta.id)
        })
        .unwrap()
}

fn add_person(
    cloud: &Cloud,
    (name, silo, on, role): (&'static str, &'static str, On, Role),
    project: Uuid,
) -> Person {
    cloud
        .rule(move |cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), silo)?.unwrap();
            let user = SiloUser {
                meta: cx.new_meta(),
                silo_id: silo.meta.id,
                external_id: name.to_owned(),
                password_hash: None,
                must_change_password: false,
            };
            cx.tx.insert(&user)?;
            let scope = match on {
                On::Nothing => None,
                On::Project => Some((RoleScope::Project(project), Some(silo.meta.id))),
                On::Silo => Some((RoleScope::Silo(silo.meta.id), Some(silo.meta.id))),
                On::Fleet => Some((RoleScope::Fleet, None)),
            };
            if let Some((scope, silo_id)) = scope {
                let identity = RoleIdentity::User(user.meta.id);
                let meta = cx.new_meta();
                cx.tx.insert(&RoleAssignment { meta, scope, silo_id, identity, role })?;
            }
            let key = SshKey {
                meta: cx.new_meta(),
                user_id: user.meta.id,
                silo_id: silo.meta.id,
                name: "laptop".parse().unwrap(),
                description: "".into(),
                public_key: "ssh-ed25519 AAAA".to_owned(),
            };
            cx.tx.insert(&key)?;
            let token =
                token::create(cx, &silo.name, &name.parse().unwrap(), &"test".parse().unwrap(), None)?;
            let credentials = format!("Bearer {}", token.text);
            Ok(Person { id: user.meta.id, token: token.id, credentials })
        })
        .unwrap()
}

/// Adds objects that the API creates only with further requirements, such as a valid certificate.
fn furnish_silo(cloud: &Cloud, project_id: Uuid) {
    cloud
        .rule(move |cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            let silo_id = silo.meta.id;
            let certificate = Certificate {
                meta: cx.new_meta(),
                silo_id,
                name: "cert".parse().unwrap(),
                description: "".into(),
                chain: String::new(),
                sealed_key: String::new(),
                time_expires: cx.now,
            };
            cx.tx.insert(&certificate)?;
            let provider = SamlIdentityProvider {
                meta: cx.new_meta(),
                silo_id,
                name: "corp".parse().unwrap(),
                description: "".into(),
                metadata: String::new(),
                sso_location: String::new(),
                signing_certificates: Vec::new(),
                idp_entity_id: "idp".to_owned(),
                sp_client_id: "sp".to_owned(),
                acs_url: "https://croft.test/".to_owned(),
                slo_url: String::new(),
                technical_contact_email: String::new(),
                group_attribute_name: None,
                signing_key: None,
                next_signing_key: None,
                metadata_url: None,
                old_certificates: Vec::new(),
                is_disabled: false,
                allows_unsolicited: false,
            };
            cx.tx.insert(&provider)?;
            for (name, project_id) in [("debian", None), ("mine", Some(project_id))] {
                let image = Image {
                    meta: cx.new_meta(),
                    silo_id,
                    project_id,
                    name: name.parse().unwrap(),
                    description: "".into(),
                    os: "Debian".to_owned(),
                    version: "13".to_owned(),
                    size: 1_u64.try_into().unwrap(),
                    block_size: 512.try_into().unwrap(),
                    volume_id: Uuid::nil(),
                };
                cx.tx.insert(&image)?;
            }
            Ok(())
        })
        .unwrap();
}

/// Adds the objects whose requests need the rack's ID. Returns that ID.
async fn furnish_rack(cloud: &Cloud) -> Uuid {
    let racks = cloud.rule(|cx| Ok(cx.tx.page::<Rack>(ListBy::All, Sort::IdAsc, None, 1)?));
    let rack = racks.unwrap()[0].meta.id;
    let loopback = json!({
        "address_lot": "initial-infra", "rack_id": rack, "switch_location": "switch0", "address": "10.127.0.1",
        "mask": 24, "anycast": false,
    });
    // The address lot of the loopback address is in use and cannot be deleted, so add another one.
    let lot = json!({ "name": "spare", "description": "", "kind": "infra", "blocks": [] });
    let fleet = cloud.with_token();
    let settings = super::rows::settings("tor");
    for (path, body) in
        [("loopback-address", loopback), ("address-lot", lot), ("switch-port-settings", settings)]
    {
        let answer = fleet.post(&format!("/v1/system/networking/{path}"), body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }
    let path =
        format!("/v1/system/hardware/switch-port/qsfp0/settings?rack_id={rack}&switch_location=switch0");
    let answer = fleet.post(&path, json!({ "port_settings": "tor" })).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    rack
}

/// Adds a group without a role whose member is the user without a role.
fn add_group(cloud: &Cloud) -> Uuid {
    cloud
        .rule(|cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            let (silo_id, external_id) = (silo.meta.id, "crew".to_owned());
            let group = SiloGroup { meta: cx.new_meta(), silo_id, external_id };
            cx.tx.insert(&group)?;
            let user: SiloUser = cx.tx.get_by_name(silo_id, "no-role")?.unwrap();
            let (meta, group_id, user_id) = (cx.new_meta(), group.meta.id, user.meta.id);
            cx.tx.insert(&SiloGroupMembership { meta, silo_id, group_id, user_id })?;
            Ok(group.meta.id)
        })
        .unwrap()
}
