//! The server is killed repeatedly while it works. After a restart, all acknowledged changes are there, and work in
//! progress continues.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxide::types::InstanceState;
use oxide::{Client, ClientInstancesExt, ClientProjectsExt, ClientVpcsExt, Error};
use tokio::sync::Notify;

use crate::support::{Server, create_instance, create_project, wait_for_state};

const KILLS: usize = 60;
const WRITERS: usize = 8;

/// The state of a project: its description, or `None` if it does not exist.
type State = Option<String>;

/// The state of one project according to the responses.
#[derive(Default)]
struct Known {
    /// The state after the last response.
    acknowledged: State,
    /// The state that the request without a response would lead to. After a kill, either state is correct.
    requested: Option<State>,
}

impl Known {
    fn allows(&self, found: &State) -> bool {
        *found == self.acknowledged || self.requested.as_ref() == Some(found)
    }
}

/// Counts the responses to all writers and notifies when there are enough.
struct Answers {
    count: AtomicUsize,
    enough: usize,
    reached: Notify,
}

impl Answers {
    fn add_one(&self) {
        if self.count.fetch_add(1, Ordering::Relaxed) + 1 == self.enough {
            self.reached.notify_one();
        }
    }
}

#[tokio::test]
async fn every_acknowledged_write_survives_a_kill() {
    let mut server = Server::start();
    let mut known = BTreeMap::<String, Known>::new();
    let mut acknowledged = 0;
    for round in 0..KILLS {
        // Kill at a different time in each round: right after the first response, or in the middle of a batch.
        let answers = Arc::new(Answers {
            count: AtomicUsize::new(0),
            enough: 1 + round * 7 % 41,
            reached: Notify::new(),
        });
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let names = format!("p-{round}-{writer}");
                tokio::spawn(write_until_the_server_is_gone(server.client(), names, Arc::clone(&answers)))
            })
            .collect();
        answers.reached.notified().await;
        server.kill();
        for writer in writers {
            known.extend(writer.await.expect("the writer saw only the kill"));
        }
        acknowledged += answers.count.load(Ordering::Relaxed);

        server.restart();
        let found = projects(&server.client()).await;
        for (name, known) in &mut known {
            let state = found.get(name).cloned();
            assert!(
                known.allows(&state),
                "after kill {round}, {name} is {state:?}; acknowledged: {:?}, requested: {:?}",
                known.acknowledged,
                known.requested
            );
            *known = Known { acknowledged: state, requested: None };
        }
        let unknown: Vec<_> = found.keys().filter(|name| !known.contains_key(*name)).collect();
        assert!(unknown.is_empty(), "nothing created {unknown:?}");
    }
    assert!(acknowledged > KILLS * 10, "only {acknowledged} writes were acknowledged in all");
}

/// Creates projects, changes each and deletes every third, until a request fails to get a response.
async fn write_until_the_server_is_gone(
    client: Client,
    names: String,
    answers: Arc<Answers>,
) -> BTreeMap<String, Known> {
    let mut written = BTreeMap::new();
    for number in 0_usize.. {
        let name = format!("{names}-{number}");
        let mut steps = vec![Some("created".to_owned()), Some("changed".to_owned())];
        if number.is_multiple_of(3) {
            steps.push(None);
        }
        let known: &mut Known = written.entry(name.clone()).or_default();
        for wanted in steps {
            known.requested = Some(wanted.clone());
            if !ask(&client, &name, &known.acknowledged, &wanted).await {
                return written;
            }
            *known = Known { acknowledged: wanted, requested: None };
            answers.add_one();
        }
    }
    unreachable!("the numbers never end")
}

/// Changes a project from one state to the next. Returns whether a response arrived.
async fn ask(client: &Client, name: &str, from: &State, to: &State) -> bool {
    let answer = match (from, to) {
        (None, Some(description)) => {
            let create = client.project_create().body_map(|body| body.name(name).description(description));
            create.send().await.map(|_| ())
        }
        (_, Some(description)) => {
            let update =
                client.project_update().project(name).body_map(|body| body.description(description.clone()));
            update.send().await.map(|_| ())
        }
        (_, None) => delete(client, name).await,
    };
    match answer {
        Ok(()) => true,
        Err(Error::CommunicationError(_) | Error::ResponseBodyError(_)) => false,
        Err(refusal) => panic!("{name}, {from:?} to {to:?}: {refusal}"),
    }
}

/// Deletes an empty project with its VPC. After a kill, a partial deletion counts as requested.
async fn delete(client: &Client, name: &str) -> Result<(), Error<oxide::types::Error>> {
    client.vpc_subnet_delete().project(name).vpc("default").subnet("default").send().await?;
    client.vpc_delete().project(name).vpc("default").send().await?;
    client.project_delete().project(name).send().await.map(|_| ())
}

async fn projects(client: &Client) -> BTreeMap<String, String> {
    let all = 10_000.try_into().expect("the largest page");
    let page = client.project_list().limit::<std::num::NonZeroU32>(all).send().await.expect("project_list");
    page.items.iter().map(|project| (project.name.to_string(), project.description.clone())).collect()
}

#[tokio::test]
async fn work_in_progress_is_picked_up_after_a_kill() {
    let mut server = Server::start();
    create_project(&server.client(), "web").await;
    for number in 0..3 {
        let name = format!("db-{number}");
        create_instance(&server.client(), &name).await;
        server.kill();
        server.restart();
        wait_for_state(&server.client(), &name, InstanceState::Running).await;

        server
            .client()
            .instance_reboot()
            .project("web")
            .instance(&*name)
            .send()
            .await
            .expect("instance_reboot");
        server.kill();
        server.restart();
        wait_for_state(&server.client(), &name, InstanceState::Running).await;

        server.client().instance_stop().project("web").instance(&*name).send().await.expect("instance_stop");
        server.kill();
        server.restart();
        wait_for_state(&server.client(), &name, InstanceState::Stopped).await;

        server
            .client()
            .instance_delete()
            .project("web")
            .instance(&*name)
            .send()
            .await
            .expect("instance_delete");
        server.kill();
        server.restart();
        let left = server.client().instance_list().project("web").send().await.expect("instance_list");
        assert!(left.items.is_empty(), "a deleted instance came back: {:?}", left.items);
    }
}
