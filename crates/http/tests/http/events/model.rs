//! A client that applies all events of its stream ends with the stored state.

use std::collections::{BTreeMap, BTreeSet};

use croft_api::event::EventAction;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Follower, Message, second_edge, user_without_role};
use crate::cloud::{Client, Cloud};

/// The state as the client knows it: IDs of projects and of their disks.
#[derive(Debug, Default, PartialEq)]
struct Replica {
    projects: BTreeSet<String>,
    disks: BTreeSet<String>,
}

impl Replica {
    /// Fetches what `client` can read. The projects are listed by `admin`, because listing requires a role on the silo.
    async fn fetch(client: &Client<'_>, admin: &Client<'_>) -> Self {
        let mut replica = Self::default();
        for project in items(admin, "/v1/projects?limit=1000").await {
            let id = project["id"].as_str().unwrap().to_owned();
            if client.get(&format!("/v1/projects/{id}")).await.status == 404 {
                continue;
            }
            for disk in items(client, &format!("/v1/disks?limit=1000&project={id}")).await {
                replica.disks.insert(disk["id"].as_str().unwrap().to_owned());
            }
            replica.projects.insert(id);
        }
        replica
    }

    async fn apply(&mut self, client: &Client<'_>, admin: &Client<'_>, message: &Message) {
        let event = match message {
            Message::Reset(_) => return *self = Self::fetch(client, admin).await,
            Message::Change(event) => event,
        };
        let set = match event.kind.as_str() {
            "project" => &mut self.projects,
            "disk" => &mut self.disks,
            _ => return,
        };
        if event.action == EventAction::Deleted {
            set.remove(&event.id.to_string());
        } else {
            set.insert(event.id.to_string());
        }
    }
}

async fn items(client: &Client<'_>, uri: &str) -> Vec<Value> {
    let answer = client.get(uri).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["items"].as_array().unwrap().clone()
}

/// Random changes, determined by a seed.
struct Changes<'a> {
    cloud: &'a Cloud,
    admin: Client<'a>,
    reader: Uuid,
    state: u64,
    last_number: u32,
    /// Names of projects, with the names of their disks.
    projects: BTreeMap<String, BTreeSet<String>>,
}

impl Changes<'_> {
    fn draw(&mut self, below: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).unwrap() % below
    }

    fn any_project(&mut self) -> Option<String> {
        let count = self.projects.len();
        (count > 0).then(|| self.draw(count)).and_then(|index| self.projects.keys().nth(index).cloned())
    }

    fn new_name(&mut self) -> String {
        self.last_number += 1;
        format!("n{}", self.last_number)
    }

    async fn step(&mut self) {
        let choice = self.draw(10);
        let name = self.new_name();
        let project = self.any_project();
        match (choice, project) {
            (0 | 1, _) | (_, None) => {
                self.admin.create_project(&name).await;
                self.projects.insert(name, BTreeSet::new());
            }
            (2..=4, Some(project)) => {
                let body = json!({
                    "name": name, "description": "", "size": 1 << 30,
                    "disk_source": { "type": "blank", "block_size": 512 },
                });
                let answer = self.admin.post(&format!("/v1/disks?project={project}"), body).await;
                assert_eq!(answer.status, 201, "{answer:?}");
                self.projects.get_mut(&project).unwrap().insert(name);
                self.cloud.settle();
            }
            (5, Some(project)) => {
                if let Some(disk) = self.projects.get_mut(&project).unwrap().pop_first() {
                    let answer = self.admin.delete(&format!("/v1/disks/{disk}?project={project}")).await;
                    assert_eq!(answer.status, 204, "{answer:?}");
                }
            }
            (6, Some(project)) => {
                if self.projects[&project].is_empty() {
                    self.admin.delete_project(&project).await;
                    self.projects.remove(&project);
                }
            }
            (7 | 8, Some(project)) => self.grant(&project, choice == 7).await,
            (_, Some(project)) => {
                let body = json!({ "description": name });
                assert_eq!(self.admin.put(&format!("/v1/projects/{project}"), body).await.status, 200);
            }
        }
    }

    /// Grants or revokes the reader's role on a project.
    async fn grant(&self, project: &str, given: bool) {
        let uri = format!("/v1/projects/{project}/policy");
        let mut policy = self.admin.get(&uri).await.json();
        let assignments = policy["role_assignments"].as_array_mut().unwrap();
        assignments.retain(|assignment| assignment["identity_id"] != self.reader.to_string());
        if given {
            assignments.push(json!({
                "identity_id": self.reader, "identity_type": "silo_user", "role_name": "viewer",
            }));
        }
        let answer = self.admin.put(&uri, policy).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

#[tokio::test]
async fn event_stream_client_converges_to_the_stored_state() {
    for seed in 0..2 {
        let cloud = Cloud::new();
        let (reader, authorization) = user_without_role(&cloud, "bob");
        let own = cloud.anonymous().with("authorization", &authorization);
        let admin = cloud.with_token();
        let mut changes = Changes {
            cloud: &cloud,
            admin: admin.clone(),
            reader,
            state: seed,
            last_number: 0,
            projects: BTreeMap::new(),
        };
        let edges = [cloud.edge.clone(), second_edge(&cloud)];
        let clients = [own, admin];
        let mut followers = Vec::new();
        for client in &clients {
            followers.push((Follower::open(&cloud, client, "", None).await, Replica::default()));
        }
        for round in 0..20 {
            for _ in 0..=changes.draw(3) {
                changes.step().await;
            }
            for (client, (follower, replica)) in clients.iter().zip(&mut followers) {
                for message in follower.rest(client, &format!("mark-{round}")).await {
                    replica.apply(client, &clients[1], &message).await;
                }
                if changes.draw(3) == 0 {
                    let edge = &edges[changes.draw(2)];
                    let last_id = follower.last_id.clone();
                    *follower = Follower::open_on(edge, client, "", last_id.as_deref()).await;
                }
                assert_eq!(*replica, Replica::fetch(client, &clients[1]).await, "seed {seed}, round {round}");
            }
        }
    }
}
