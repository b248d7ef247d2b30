//! Silos, their users and policies.

use croft_api::{Error, Result, scalar::NameOrId};
use croft_control::{
    auth_settings,
    bootstrap::{self, Bootstrap, PoolBootstrap},
    ip_pool, operation, policy, quota, saml, silo, ssh_key,
};
use croft_store::{
    ListBy, Sort,
    records::{Quota, Silo, SiloGroup, SiloUser},
};
use uuid::Uuid;

use crate::{
    facts,
    stage::{DemoTransaction, Person, date, named},
};

/// The silo of the demo's users.
pub const SILO: &str = "maze-war";
/// Its id.
pub const SILO_ID: Uuid = Uuid::from_u128(0x6d3a_9c06_475e_4f75_b272_c0d0_e3f9_80fa);
const OTHER_SILO: &str = "myriad";
const OTHER_SILO_ID: Uuid = Uuid::from_u128(0x6855_6156_15b9_4ccb_adff_9fd3_c7de_1f9a);

/// A user of the demo, in the order of the sign-in page.
#[derive(Clone, Copy, Debug)]
pub struct DemoPerson {
    /// The display name.
    pub name: &'static str,
    /// The user's groups.
    pub groups: &'static [&'static str],
    /// A description of the user's rights.
    pub label: &'static str,
}

/// The users who can sign in.
pub const PEOPLE: [DemoPerson; 4] = [
    DemoPerson { name: "Hannah Arendt", groups: &["web-devs"], label: "Fleet and silo administrator" },
    DemoPerson { name: "Hans Jonas", groups: &["real-estate-devs"], label: "Silo collaborator" },
    DemoPerson { name: "Jacob Klein", groups: &[], label: "Project collaborator" },
    DemoPerson { name: "Simone de Beauvoir", groups: &[], label: "No role" },
];

/// A group without members.
const EMPTY_GROUP: &str = "kernel-devs";

/// The users who act while the cloud is filled.
#[derive(Clone, Copy, Debug)]
pub struct DemoActors {
    /// The first user: administrator of everything.
    pub hannah: Person,
    /// The only user of the other silo.
    pub baruch: Person,
    /// A collaborator of one project.
    pub jacob: Uuid,
    /// The group without members.
    pub kernel_devs: Uuid,
}

/// Sets the database up if necessary, and creates the users.
pub fn enter(stage: &mut DemoTransaction<'_, '_>) -> Result<DemoActors> {
    let operator = operator(stage)?;
    silos(stage, operator)?;
    let mut people = Vec::new();
    for role in PEOPLE {
        people.push(introduce(stage, SILO_ID, role.name, role.groups)?);
    }
    let [hannah, _, jacob, _] = people[..] else { return Err(Error::internal("four people were expected")) };
    introduce(stage, SILO_ID, PEOPLE[0].name, &[PEOPLE[0].groups[0], EMPTY_GROUP])?;
    introduce(stage, SILO_ID, PEOPLE[0].name, PEOPLE[0].groups)?;
    let baruch = introduce(stage, OTHER_SILO_ID, "Baruch Spinoza", &[])?;
    roles(stage, operator, hannah, baruch)?;
    settle(stage, hannah)?;
    let kernel_devs = group(stage, EMPTY_GROUP)?;
    Ok(DemoActors { hannah, baruch, jacob: jacob.user_id, kernel_devs })
}

fn introduce(stage: &mut DemoTransaction<'_, '_>, silo: Uuid, name: &str, groups: &[&str]) -> Result<Person> {
    let user = stage.rule(|cx| saml::introduce(cx, silo, name, groups))?;
    Ok(Person { user_id: user.meta.id, silo_id: silo })
}

/// The initial administrator of a new database. If the database was not set up before, nobody can sign in as this user.
fn operator(stage: &mut DemoTransaction<'_, '_>) -> Result<Person> {
    let bootstrap = Bootstrap {
        silo_name: "croft".parse().map_err(Error::from)?,
        admin_name: "admin".parse().map_err(Error::from)?,
        password_hash: "*".to_owned(),
        must_change_password: false,
        quota: Quota::default(),
        pool: PoolBootstrap::default(),
    };
    stage.rule(|cx| bootstrap::run(cx, &bootstrap))?;
    let users: Vec<SiloUser> = stage.tx.page(ListBy::All, Sort::IdAsc, None, 2)?;
    let [user] = &users[..] else { return Err(Error::internal("a new database has one user")) };
    Ok(Person { user_id: user.meta.id, silo_id: user.silo_id })
}

/// The silo of an existing database is for the operator only, and gets no quota.
fn silos(stage: &mut DemoTransaction<'_, '_>, operator: Person) -> Result<()> {
    let first = stage.tx.get::<Silo>(operator.silo_id)?;
    let first =
        first.map(|silo| NameOrId::Id(silo.meta.id)).ok_or_else(|| Error::internal("no first silo"))?;
    stage.act(
        &operator,
        &operation::SILO_QUOTAS_UPDATE,
        r#"{"cpus":0,"memory":0,"storage":0}"#,
        |cx, by, body| quota::update(cx, by, &first, body),
    )?;
    let pool = named("default")?;
    let range = r#"{"first":"10.128.0.10","last":"10.128.255.250"}"#;
    stage.act(&operator, &operation::IP_POOL_RANGE_REMOVE, range, |cx, by, body| {
        ip_pool::range_remove(cx, by, &pool, *body)
    })?;
    stage.act(&operator, &operation::IP_POOL_DELETE, "null", |cx, by, (): &()| {
        ip_pool::delete(cx, by, &pool)
    })?;
    for (id, created, body) in [
        (
            SILO_ID,
            "2021-04-01T12:00:00Z",
            r#"{"name":"maze-war","description":"a silo","discoverable":true,"identity_mode":"saml_jit",
            "quotas":{"cpus":50,"memory":322122547200,"storage":7696581394432},"tls_certificates":[],
            "mapped_fleet_roles":{"admin":["admin"]}}"#,
        ),
        (
            OTHER_SILO_ID,
            "2023-02-28T12:00:00Z",
            r#"{"name":"myriad","description":"a second silo","discoverable":true,"identity_mode":"saml_jit",
            "quotas":{"cpus":34,"memory":536870912000,"storage":9895604649984},"tls_certificates":[],
            "mapped_fleet_roles":{}}"#,
        ),
    ] {
        stage.now = date(created)?;
        stage.choose_id(id);
        stage.act(&operator, &operation::SILO_CREATE, body, silo::create)?;
    }
    stage.rule(|cx| facts::identity_provider(cx, SILO_ID))
}

fn group(stage: &mut DemoTransaction<'_, '_>, name: &str) -> Result<Uuid> {
    let group: Option<SiloGroup> = stage.tx.get_by_name(SILO_ID, name)?;
    group.map(|group| group.meta.id).ok_or_else(|| Error::internal(format!("there is no group {name}")))
}

/// A policy in its wire form.
pub fn policy_of(assignments: &[(Uuid, &str, &str)]) -> String {
    let assignments: Vec<String> = assignments
        .iter()
        .map(|(id, kind, role)| {
            format!(r#"{{"identity_id":"{id}","identity_type":"{kind}","role_name":"{role}"}}"#)
        })
        .collect();
    format!(r#"{{"role_assignments":[{}]}}"#, assignments.join(","))
}

fn roles(
    stage: &mut DemoTransaction<'_, '_>,
    operator: Person,
    hannah: Person,
    baruch: Person,
) -> Result<()> {
    let body = policy_of(&[(hannah.user_id, "silo_user", "admin")]);
    stage.act(&operator, &operation::SYSTEM_POLICY_UPDATE, &body, |cx, by, body| {
        policy::fleet_update(cx, by, body)
    })?;
    let real_estate = group(stage, "real-estate-devs")?;
    let own =
        policy_of(&[(hannah.user_id, "silo_user", "admin"), (real_estate, "silo_group", "collaborator")]);
    let other = policy_of(&[(baruch.user_id, "silo_user", "admin")]);
    for (silo, body) in [(SILO, own), (OTHER_SILO, other)] {
        let silo = named(silo)?;
        stage.act(&hannah, &operation::SILO_POLICY_UPDATE, &body, |cx, by, body| {
            policy::silo_update(cx, by, &silo, body)
        })?;
    }
    for (person, seconds) in [(hannah, 86_400), (baruch, 7200)] {
        let body = format!(r#"{{"device_token_max_ttl_seconds":{seconds}}}"#);
        stage.act(&person, &operation::AUTH_SETTINGS_UPDATE, &body, |cx, by, body| {
            auth_settings::update(cx, by, body)
        })?;
    }
    Ok(())
}

fn settle(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    for body in [
        r#"{"name":"m1-macbook-pro","description":"For use on personal projects","public_key":
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDVrlt7UXKuoA/wigRk8kl/WWUUW3toFtSgAg6fRVGbK hannah@m1-macbook-pro"}"#,
        r#"{"name":"mac-mini","description":"","public_key":
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAtV1cjhp4Txa3LTNDHtPdWN4kHfRv+5OVPrnTGaKr3t hannah@mac-mini"}"#,
    ] {
        stage.act(&hannah, &operation::CURRENT_USER_SSH_KEY_CREATE, body, |cx, by, body| {
            ssh_key::create(cx, by, body)
        })?;
    }
    Ok(())
}
