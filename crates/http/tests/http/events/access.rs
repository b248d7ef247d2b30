//! Who is told that rights have changed, and that nobody is shown what they may not read any more.

use croft_api::event::ResetReason;
use croft_control::saml;
use croft_store::records::{Silo, SiloGroup};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Follower, Message, ids, nobody};
use crate::cloud::{Client, Cloud, SILO};

/// Three who listen: the administrator, and two who have no role of their own.
struct World<'a> {
    cloud: &'a Cloud,
    admin: Client<'a>,
    clients: [Client<'a>; 2],
    users: [Uuid; 2],
    /// What everybody's streams have come to.
    last_ids: [String; 3],
    followers: Vec<Follower>,
    made: u32,
}

const NAMES: [&str; 2] = ["bob", "carol"];

impl<'a> World<'a> {
    async fn new(cloud: &'a Cloud) -> Self {
        let admin = cloud.with_token();
        admin.create_project("web").await;
        let people = NAMES.map(|name| nobody(cloud, name));
        let users = people.each_ref().map(|(id, _)| *id);
        let clients = people.map(|(_, token)| cloud.anonymous().with("authorization", &token));
        let mut followers = Vec::new();
        for client in clients.iter().chain([&admin]) {
            followers.push(Follower::start(cloud, client, "").await);
        }
        let last_ids = [0, 1, 2].map(|index: usize| followers[index].last_id.clone().unwrap());
        Self { cloud, admin, clients, users, last_ids, followers, made: 0 }
    }

    /// Gives roles on the project, all of which there are then.
    async fn grant(&self, kind: &str, holders: &[Uuid]) {
        let assignments: Vec<Value> = holders
            .iter()
            .map(|id| json!({ "identity_id": id, "identity_type": kind, "role_name": "viewer" }))
            .collect();
        let policy = json!({ "role_assignments": assignments });
        let answer = self.admin.put("/v1/projects/web/policy", policy).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// Has somebody be in these groups and no others.
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

    /// Changes the project, and checks who is told that their rights changed, and who is told of the project afterwards: by the
    /// streams that are open, and by others that go on where these were before.
    async fn check(&mut self, reset: [bool; 2], seen: [bool; 2]) {
        let answer = self.admin.put("/v1/projects/web", json!({ "description": "new" })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let mut before = self.last_ids.clone().into_iter();
        for index in 0..3 {
            let client = if index < 2 { &self.clients[index] } else { &self.admin };
            let mut again = Follower::open(self.cloud, client, "", before.next().as_deref()).await;
            self.made += 1;
            let mark = format!("mark-{}", self.made);
            let live = self.followers[index].rest(client, &mark).await;
            let id = self.followers[index].last_id.clone().unwrap();
            let key = client.get(&format!("/v1/me/ssh-keys/{mark}")).await.json()["id"].clone();
            let caught_up = again.until(|event| event.id.to_string() == key).await;
            for told in [live, caught_up] {
                let resets = told.iter().filter(|message| matches!(message, Message::Reset(_))).count();
                assert_eq!(resets > 0, index < 2 && reset[index], "{index}: {told:?}");
                let access = Message::Reset(ResetReason::Access);
                assert!(
                    told.iter().all(|one| !matches!(one, Message::Reset(_)) || *one == access),
                    "{told:?}"
                );
                assert_eq!(
                    ids(&told, "project").len(),
                    usize::from(index == 2 || seen[index]),
                    "{index}: {told:?}"
                );
            }
            self.last_ids[index] = id;
        }
    }
}

#[tokio::test]
async fn role_change_of_a_user_is_sent_to_that_user() {
    let cloud = Cloud::new();
    let mut world = World::new(&cloud).await;
    world.check([false, false], [false, false]).await;
    let [bob, carol] = world.users;
    world.grant("silo_user", &[bob]).await;
    world.check([true, false], [true, false]).await;
    world.grant("silo_user", &[bob, carol]).await;
    world.check([false, true], [true, true]).await;
    world.grant("silo_user", &[carol]).await;
    world.check([true, false], [false, true]).await;
    world.grant("silo_user", &[carol]).await;
    world.check([false, false], [false, true]).await;
}

#[tokio::test]
async fn role_change_of_a_group_is_sent_to_its_members() {
    let cloud = Cloud::new();
    let mut world = World::new(&cloud).await;
    world.join("bob", &["devs", "others"]);
    world.check([true, false], [false, false]).await;
    let devs = world.group("devs");
    world.grant("silo_group", &[devs]).await;
    world.check([true, false], [true, false]).await;
    world.join("carol", &["devs"]);
    world.check([false, true], [true, true]).await;
    world.join("bob", &["others"]);
    world.check([true, false], [false, true]).await;
    world.grant("silo_group", &[]).await;
    world.check([false, true], [false, false]).await;
}

#[tokio::test]
async fn former_group_member_receives_no_events() {
    let cloud = Cloud::new();
    let mut world = World::new(&cloud).await;
    world.join("bob", &["devs"]);
    let devs = world.group("devs");
    world.grant("silo_group", &[devs]).await;
    world.check([true, false], [true, false]).await;
    // In quick succession, so that whoever reads the first knows the second.
    world.grant("silo_group", &[]).await;
    world.join("bob", &[]);
    world.check([true, false], [false, false]).await;
}
