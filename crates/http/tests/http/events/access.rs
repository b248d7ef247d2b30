//! Resets after changes of access, and no events about objects that the caller may no longer read.

use croft_api::event::ResetReason;
use croft_control::saml;
use croft_store::records::{Silo, SiloGroup};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Follower, Message, ids, user_without_role};
use crate::cloud::{Client, Cloud, SILO};

/// Three subscribers: the administrator, and two users without a role of their own.
struct Fixture<'a> {
    cloud: &'a Cloud,
    admin: Client<'a>,
    clients: [Client<'a>; 2],
    users: [Uuid; 2],
    /// The last event ID of each stream.
    last_ids: [String; 3],
    followers: Vec<Follower>,
    marks: u32,
}

const NAMES: [&str; 2] = ["bob", "carol"];

impl<'a> Fixture<'a> {
    async fn new(cloud: &'a Cloud) -> Self {
        let admin = cloud.with_token();
        admin.create_project("web").await;
        let people = NAMES.map(|name| user_without_role(cloud, name));
        let users = people.each_ref().map(|(id, _)| *id);
        let clients = people.map(|(_, token)| cloud.anonymous().with("authorization", &token));
        let mut followers = Vec::new();
        for client in clients.iter().chain([&admin]) {
            followers.push(Follower::start(cloud, client, "").await);
        }
        let last_ids = [0, 1, 2].map(|index: usize| followers[index].last_id.clone().unwrap());
        Self { cloud, admin, clients, users, last_ids, followers, marks: 0 }
    }

    /// Replaces the role assignments of the project.
    async fn grant(&self, kind: &str, holders: &[Uuid]) {
        let assignments: Vec<Value> = holders
            .iter()
            .map(|id| json!({ "identity_id": id, "identity_type": kind, "role_name": "viewer" }))
            .collect();
        let policy = json!({ "role_assignments": assignments });
        let answer = self.admin.put("/v1/projects/web/policy", policy).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// Sets the groups of a user.
    fn join(&self, name: &'static str, groups: &'static [&'static str]) {
        let join = self.cloud.rule(move |cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            saml::introduce(cx, silo.meta.id, name, groups)
        });
        join.unwrap();
    }

    fn group(&self, name: &'static str) -> Uuid {
        let group = self.cloud.rule(move |cx| {
            let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
            Ok(cx.tx.get_by_name::<SiloGroup>(silo.meta.id, name)?.unwrap())
        });
        group.unwrap().meta.id
    }

    /// Changes the project, and checks which users' streams get a reset and which get the event: both the open streams
    /// and streams resumed at the positions that these had before.
    async fn check(&mut self, reset: [bool; 2], seen: [bool; 2]) {
        let answer = self.admin.put("/v1/projects/web", json!({ "description": "new" })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let mut before = self.last_ids.clone().into_iter();
        for index in 0..3 {
            let client = if index < 2 { &self.clients[index] } else { &self.admin };
            let mut again = Follower::open(self.cloud, client, "", before.next().as_deref()).await;
            self.marks += 1;
            let mark = format!("mark-{}", self.marks);
            let live = self.followers[index].rest(client, &mark).await;
            let id = self.followers[index].last_id.clone().unwrap();
            let key = client.get(&format!("/v1/me/ssh-keys/{mark}")).await.json()["id"].clone();
            let caught_up = again.until(|event| event.id.to_string() == key).await;
            for received in [live, caught_up] {
                let resets = received.iter().filter(|message| matches!(message, Message::Reset(_))).count();
                assert_eq!(resets > 0, index < 2 && reset[index], "{index}: {received:?}");
                let access = Message::Reset(ResetReason::Access);
                assert!(
                    received.iter().all(|one| !matches!(one, Message::Reset(_)) || *one == access),
                    "{received:?}"
                );
                assert_eq!(
                    ids(&received, "project").len(),
                    usize::from(index == 2 || seen[index]),
                    "{index}: {received:?}"
                );
            }
            self.last_ids[index] = id;
        }
    }
}

#[tokio::test]
async fn role_change_of_a_user_is_sent_to_that_user() {
    let cloud = Cloud::new();
    let mut fixture = Fixture::new(&cloud).await;
    fixture.check([false, false], [false, false]).await;
    let [bob, carol] = fixture.users;
    fixture.grant("silo_user", &[bob]).await;
    fixture.check([true, false], [true, false]).await;
    fixture.grant("silo_user", &[bob, carol]).await;
    fixture.check([false, true], [true, true]).await;
    fixture.grant("silo_user", &[carol]).await;
    fixture.check([true, false], [false, true]).await;
    fixture.grant("silo_user", &[carol]).await;
    fixture.check([false, false], [false, true]).await;
}

#[tokio::test]
async fn role_change_of_a_group_is_sent_to_its_members() {
    let cloud = Cloud::new();
    let mut fixture = Fixture::new(&cloud).await;
    fixture.join("bob", &["devs", "others"]);
    fixture.check([true, false], [false, false]).await;
    let devs = fixture.group("devs");
    fixture.grant("silo_group", &[devs]).await;
    fixture.check([true, false], [true, false]).await;
    fixture.join("carol", &["devs"]);
    fixture.check([false, true], [true, true]).await;
    fixture.join("bob", &["others"]);
    fixture.check([true, false], [false, true]).await;
    fixture.grant("silo_group", &[]).await;
    fixture.check([false, true], [false, false]).await;
}

#[tokio::test]
async fn former_group_member_receives_no_events() {
    let cloud = Cloud::new();
    let mut fixture = Fixture::new(&cloud).await;
    fixture.join("bob", &["devs"]);
    let devs = fixture.group("devs");
    fixture.grant("silo_group", &[devs]).await;
    fixture.check([true, false], [true, false]).await;
    // Two changes without a check between them, so that the stream sees both at once.
    fixture.grant("silo_group", &[]).await;
    fixture.join("bob", &[]);
    fixture.check([true, false], [false, false]).await;
}
