//! The whole first path with a public SDK that is not part of Croft: if it cannot parse a response, or needs a
//! workaround, the server violates the contract.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use oxide::types::{
    ByteCount, DiskCreate, DiskState, InstanceCreate, InstanceDiskAttachment,
    InstanceNetworkInterfaceAttachment, InstanceState,
};
use oxide::{
    Client, ClientCurrentUserExt, ClientDisksExt, ClientInstancesExt, ClientProjectsExt,
    ClientSystemStatusExt,
};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use crate::support::{GIB, Server, blank, wait_for_state, wait_until};

#[tokio::test]
async fn public_client_completes_the_first_steps() {
    let server = Server::start();
    let client = server.client();

    client.ping().send().await.expect("ping");
    let me = client.current_user_view().send().await.expect("current_user_view");
    assert!(!me.display_name.is_empty());

    let project = client
        .project_create()
        .body_map(|body| body.name("web").description("the shop"))
        .send()
        .await
        .expect("project_create")
        .into_inner();
    let listed = client.project_list().send().await.expect("project_list").into_inner();
    assert_eq!(listed.items.iter().map(|found| found.id).collect::<Vec<_>>(), [project.id]);

    let disk = client
        .disk_create()
        .project("web")
        .body(
            DiskCreate::builder().name("data").description("").size(ByteCount(2 * GIB)).disk_source(blank()),
        )
        .send()
        .await
        .expect("disk_create")
        .into_inner();
    wait_until("the disk is detached", async || {
        let disk = client.disk_view().disk(disk.id).send().await.expect("disk_view");
        matches!(disk.state, DiskState::Detached)
    })
    .await;

    let instance = client
        .instance_create()
        .project("web")
        .body(
            InstanceCreate::builder()
                .name("db")
                .description("the shop's database")
                .hostname("db")
                .ncpus(2)
                .memory(ByteCount(4 * GIB))
                .network_interfaces(InstanceNetworkInterfaceAttachment::None)
                .boot_disk(InstanceDiskAttachment::Create {
                    name: "db-boot".parse().expect("a disk name"),
                    description: String::new(),
                    size: ByteCount(10 * GIB),
                    disk_source: blank(),
                })
                .disks(vec![InstanceDiskAttachment::Attach { name: "data".parse().expect("a disk name") }])
                .start(false),
        )
        .send()
        .await
        .expect("instance_create")
        .into_inner();
    wait_for_state(&client, "db", InstanceState::Stopped).await;
    let disks =
        client.instance_disk_list().project("web").instance("db").send().await.expect("instance_disk_list");
    let mut names: Vec<_> = disks.items.iter().map(|disk| disk.name.to_string()).collect();
    names.sort();
    assert_eq!(names, ["data", "db-boot"]);

    client.instance_start().project("web").instance("db").send().await.expect("instance_start");
    wait_for_state(&client, "db", InstanceState::Running).await;

    check_serial_stream(&client).await;

    client.instance_stop().project("web").instance("db").send().await.expect("instance_stop");
    wait_for_state(&client, "db", InstanceState::Stopped).await;
    client.instance_delete().instance(instance.id).send().await.expect("instance_delete");

    let gone =
        client.instance_view().project("web").instance("db").send().await.expect_err("the instance is gone");
    let oxide::Error::ErrorResponse(refusal) = gone else {
        panic!("not the error that the contract names: {gone}")
    };
    assert_eq!(refusal.status().as_u16(), 404);
    assert_eq!(refusal.message, r#"not found: instance with name "db""#);
    assert_eq!(refusal.error_code.as_deref(), Some("ObjectNotFound"));
    assert_eq!(refusal.headers()["x-request-id"], refusal.request_id);

    for name in ["data", "db-boot"] {
        client.disk_delete().project("web").disk(name).send().await.expect("disk_delete");
    }
}

/// Types a line and waits for its echo.
async fn check_serial_stream(client: &Client) {
    let upgraded = client
        .instance_serial_console_stream()
        .project("web")
        .instance("db")
        .most_recent(1_u64 << 18)
        .send()
        .await
        .expect("instance_serial_console_stream")
        .into_inner();
    let mut stream = WebSocketStream::from_raw_socket(upgraded, Role::Client, None).await;
    stream.send(Message::binary(b"echo croft\r".to_vec())).await.expect("the line is sent");

    let mut seen = Vec::new();
    let answered = async {
        while !contains(&seen, b"croft") {
            match stream.next().await.expect("the stream continues").expect("a frame") {
                Message::Binary(bytes) => seen.extend_from_slice(&bytes),
                Message::Text(text) => seen.extend_from_slice(text.as_bytes()),
                _ => {}
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), answered)
        .await
        .unwrap_or_else(|_| panic!("no answer on the serial console"));
    stream.close(None).await.expect("the stream closes");

    let history = client
        .instance_serial_console()
        .project("web")
        .instance("db")
        .from_start(0_u64)
        .send()
        .await
        .expect("instance_serial_console");
    assert!(contains(&history.data, b"croft"), "the history contains the line");
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
