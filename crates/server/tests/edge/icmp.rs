//! The host drops ICMP to the server's addresses while the server runs and the setting forbids it.

use std::{
    env,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::program::Server;

const TIMEOUT: Duration = Duration::from_secs(30);
const SETTING: &str = "/v1/system/networking/inbound-icmp";

/// Runs a test again in a new network namespace, so that it does not change the rules of this machine. Returns whether
/// the test is already in there; otherwise it has finished. Without root the test is skipped.
fn in_own_network(test: &str) -> bool {
    const INSIDE: &str = "CROFT_TEST_OWN_NETWORK";
    if env::var_os(INSIDE).is_some() {
        assert!(Command::new("ip").args(["link", "set", "lo", "up"]).status().unwrap().success());
        return true;
    }
    let id = Command::new("id").arg("-u").output().unwrap();
    if id.stdout != b"0\n" {
        assert!(env::var_os("CROFT_REQUIRE_QEMU").is_none(), "rules of the host need root");
        eprintln!("skipped: rules of the host need root");
        return false;
    }
    let mut again = Command::new("unshare");
    again.arg("--net").arg(env::current_exe().unwrap()).args(["--exact", test, "--nocapture"]);
    assert!(again.env(INSIDE, "1").status().unwrap().success(), "the test failed in a network of its own");
    false
}

/// The nftables tables that drop ICMP.
fn tables() -> Vec<String> {
    let output = Command::new("nft").args(["list", "tables"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("table inet croft-icmp-")).map(str::to_owned).collect()
}

/// Waits until there is this number of tables. Returns them.
fn wait_for_tables(count: usize) -> Vec<String> {
    let give_up = Instant::now() + TIMEOUT;
    loop {
        let tables = tables();
        if tables.len() == count {
            return tables;
        }
        assert!(Instant::now() < give_up, "there are not {count} tables: {tables:?}");
        std::thread::yield_now();
    }
}

fn set(server: &Server, cookie: &str, enabled: bool) {
    let request = server.request("PUT", SETTING).header("cookie", cookie);
    let answer =
        request.header("content-type", "application/json").body(&json!({ "enabled": enabled })).send();
    assert_eq!(answer.status, 204, "{answer:?}");
}

#[test]
fn host_drops_icmp_while_configured_and_running() {
    if !in_own_network("icmp::host_drops_icmp_while_configured_and_running") {
        return;
    }
    let enforced = ["--enforce-icmp"];
    let server = Server::start(&enforced);
    let password = server.password();
    let cookie = server.sign_in(&password);
    assert_eq!(tables(), <[&str; 0]>::default(), "ICMP is allowed by default");
    set(&server, &cookie, false);
    wait_for_tables(1);
    set(&server, &cookie, true);
    wait_for_tables(0);
    set(&server, &cookie, false);
    wait_for_tables(1);

    let folder = server.stopped();
    assert_eq!(tables(), <[&str; 0]>::default(), "no table is left");
    let server = Server::start_in(folder, &enforced);
    let before = wait_for_tables(1);

    let folder = server.killed();
    assert_eq!(tables(), before, "rules stay after the server is killed");
    let server = Server::start_in(folder, &enforced);
    let give_up = Instant::now() + TIMEOUT;
    // The server removes the old table before it reads the setting and creates a new one.
    while !matches!(tables().as_slice(), [one] if *one != before[0]) {
        assert!(Instant::now() < give_up, "the setting is not applied after the restart: {:?}", tables());
        std::thread::yield_now();
    }

    let folder = server.killed();
    let server = Server::start_in(folder, &[]);
    assert_eq!(
        tables(),
        <[&str; 0]>::default(),
        "a server that does not enforce the setting removes old tables"
    );
    assert!(server.get("/v1/ping").status == 200, "{}", server.log());
}
