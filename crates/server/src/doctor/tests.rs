//! Tests of checks with a host that is made up, or a folder of their own.

use std::{fs, net::TcpListener, os::unix::fs::PermissionsExt as _};

use croft_sled::qemu::{Acceleration, Examination, FoundProgram};
use jiff::Timestamp;

use super::{Finding, Level, address, clock, data, machines, report::Report, user};
use crate::{
    config::{Config, Options},
    data_directory::DataDirectory,
    hypervisor::Plan,
};

fn config(set: impl FnOnce(&mut Options)) -> Config {
    let mut options = Options::default();
    set(&mut options);
    options.resolve().unwrap()
}

fn program(name: &'static str) -> FoundProgram {
    FoundProgram { name, path: Some(format!("/usr/bin/{name}").into()), version: Some("1.2".into()) }
}

/// A host that has everything.
fn host() -> Examination {
    Examination {
        is_root: true,
        programs: ["qemu-system-x86_64", "qemu-img", "nft", "ip", "dnsmasq"].map(program).into(),
        machines: Ok((Acceleration::Kvm, String::new())),
        link_device: Ok(()),
        vpcs: Ok(()),
    }
}

/// The finding of one check.
fn of<'a>(findings: &'a [Finding], check: &str) -> &'a Finding {
    findings
        .iter()
        .find(|finding| finding.check == check)
        .unwrap_or_else(|| panic!("no {check}: {findings:?}"))
}

#[test]
fn a_complete_host_has_no_warnings() {
    let findings = machines::check(&config(|_| ()), false, &host());
    assert!(findings.iter().all(|finding| finding.level == Level::Ok), "{findings:?}");
    assert_eq!(of(&findings, "nft").text, "1.2, /usr/bin/nft");
    assert!(of(&findings, "guest-networks").text.contains("--external-interface lets them"));
}

#[test]
fn missing_programs_are_named_with_their_packages() {
    let mut bare = host();
    for program in &mut bare.programs {
        program.path = None;
    }
    bare.machines = Err("qemu-system-x86_64 is not installed".into());
    bare.vpcs = Err("ip is not installed".into());
    let findings = machines::check(&config(|_| ()), false, &bare);
    for (check, package) in [
        ("qemu-system-x86_64", "qemu-system-x86"),
        ("nft", "nftables"),
        ("ip", "iproute2"),
        ("dnsmasq", "dnsmasq-base"),
    ] {
        let found = of(&findings, check);
        assert_eq!(found.level, Level::Warning, "{found:?}");
        assert_eq!(found.mend.as_deref(), Some(&*format!("run `apt install {package}`")));
    }
    assert_eq!(of(&findings, "qemu-img").level, Level::Ok, "the server does not run it");
    let simulated = of(&findings, "machines");
    assert_eq!(simulated.level, Level::Warning);
    assert!(simulated.text.contains("would be simulated, because qemu-system-x86_64 is not installed"));
    assert!(simulated.mend.as_ref().unwrap().contains("install qemu-system-x86"));
    // Where nothing else will do, the server does not start.
    let required = machines::check(&config(|_| ()), true, &bare);
    assert_eq!(of(&required, "machines").level, Level::Problem);
    let isolated = config(|options| options.guest_network = Some(crate::config::GuestNetworkKind::Isolated));
    assert_eq!(of(&machines::check(&isolated, false, &bare), "nft").level, Level::Ok);
}

#[test]
fn networks_that_are_required_prevent_the_start() {
    let closed = Examination { vpcs: Err("that needs root".into()), is_root: false, ..host() };
    let findings = machines::check(&config(|_| ()), false, &closed);
    assert_eq!(of(&findings, "machines").level, Level::Ok);
    assert_eq!(of(&findings, "guest-networks").level, Level::Warning);
    let outside = config(|options| options.external_interface = Some("eth0".into()));
    let findings = machines::check(&outside, true, &closed);
    let problem = of(&findings, "machines");
    assert_eq!(problem.level, Level::Problem);
    assert!(problem.text.contains("VPCs cannot be set up on this host: that needs root"), "{problem:?}");
    assert!(problem.mend.as_ref().unwrap().contains("--external-interface"));
}

#[test]
fn slow_guests_and_a_closed_device_are_warned_of() {
    let slow = Examination {
        machines: Ok((Acceleration::Tcg, "/dev/kvm does not exist".into())),
        link_device: Err("/dev/net/tun: No such file or directory".into()),
        ..host()
    };
    let findings = machines::check(&config(|_| ()), false, &slow);
    let kvm = of(&findings, "kvm");
    assert!(kvm.level == Level::Warning && kvm.text.starts_with("/dev/kvm does not exist: guests run by"));
    assert!(kvm.mend.as_ref().unwrap().contains("kvm_intel"));
    assert!(of(&findings, "tun-device").mend.as_ref().unwrap().contains("modprobe tun"));
    let chosen = config(|options| options.acceleration = Some(crate::config::AccelerationKind::Tcg));
    assert_eq!(of(&machines::check(&chosen, false, &slow), "kvm").level, Level::Ok);
}

#[test]
fn root_is_asked_for_where_it_helps() {
    let plan = Plan::Qemu { required: false };
    assert_eq!(user(true, Some(&plan)).level, Level::Ok);
    assert_eq!(user(false, Some(&plan)).level, Level::Warning);
    assert_eq!(user(false, Some(&Plan::Simulated("as configured"))).level, Level::Ok);
    let enforced = config(|options| options.enforce_icmp = Some(true));
    assert_eq!(machines::inbound_icmp(&enforced, false).unwrap().level, Level::Problem);
    assert_eq!(machines::inbound_icmp(&enforced, true).unwrap().level, Level::Ok);
    assert_eq!(machines::inbound_icmp(&config(|_| ()), false), None);
}

#[test]
fn the_data_directory_is_looked_at_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b");
    let absent = data::directory(&path);
    assert!(absent.level == Level::Ok && absent.text.contains("is created by the first start"), "{absent:?}");
    assert!(!path.exists());
    fs::create_dir_all(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let open = data::directory(&path);
    assert!(open.level == Level::Warning && open.text.contains("(mode 0755)"), "{open:?}");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(data::directory(&path).level, Level::Ok);
    let file = tempfile::NamedTempFile::new().unwrap();
    for place in [file.path().to_owned(), file.path().join("data")] {
        assert_eq!(data::directory(&place).level, Level::Problem, "{}", place.display());
    }
}

#[test]
fn a_running_server_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(data::server(folder.path()).1, None);
    let lock = DataDirectory::open(folder.path()).unwrap().lock().unwrap();
    let (finding, user) = data::server(folder.path());
    assert_eq!((finding.level, user), (Level::Ok, Some(std::process::id().to_string())));
    drop(lock);
    assert_eq!(data::server(folder.path()).1, None);
}

#[test]
fn space_is_judged_by_what_is_left_for_disks() {
    const GIB: u64 = 1 << 30;
    assert_eq!(data::of_space(50 * GIB, 100 * GIB), Finding::ok("disk-space", "50.0 GiB free of 100.0 GiB"));
    let little = data::of_space(6 * GIB + GIB / 2, 100 * GIB);
    assert!(
        little.level == Level::Warning && little.text.ends_with("guests' disks can use 1.5 GiB"),
        "{little:?}"
    );
    assert_eq!(data::of_space(GIB / 100, 100 * GIB).level, Level::Problem);
    assert!(data::space(&std::env::temp_dir().join("none/of/this")).text.contains("GiB free of"));
}

#[test]
fn a_port_in_use_is_a_problem_unless_the_server_runs() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap();
    let beside = address::check("address", taken, "--listen", false);
    assert!(
        beside.level == Level::Problem && beside.mend.as_ref().unwrap().contains("--listen"),
        "{beside:?}"
    );
    assert_eq!(address::check("address", taken, "--listen", true).level, Level::Ok);
    drop(listener);
    let any = "127.0.0.1:0".parse().unwrap();
    assert_eq!(address::check("address", any, "--listen", false).level, Level::Ok);
}

#[test]
fn a_clock_is_doubted() {
    let now: Timestamp = "2026-07-01T00:00:00Z".parse().unwrap();
    assert_eq!(clock::check(now, Some(true)).level, Level::Ok);
    assert_eq!(clock::check(now, None).level, Level::Ok);
    assert!(clock::check(now, Some(false)).mend.unwrap().contains("set-ntp"));
    assert!(clock::check(Timestamp::UNIX_EPOCH, Some(true)).text.contains("has long passed"));
}

#[test]
fn reports_are_aligned_and_count_what_is_wrong() {
    let failure =
        crate::failure::Failure::new(crate::failure::ExitKind::Address, "cannot listen").hint("use another");
    let findings = || {
        vec![
            Finding::ok("user", "root"),
            Finding::warning("kvm", "is missing", "load it"),
            Finding::problem("tls-address", &failure),
        ]
    };
    let report = Report::new(findings());
    assert!(!report.can_start());
    assert_eq!(
        report.text(false),
        "ok       user         root
warning  kvm          is missing
                      mend: load it
problem  tls-address  cannot listen
                      mend: use another

The server cannot start: 1 problem, 1 warning.
"
    );
    assert!(report.text(true).starts_with("\x1b[32mok     \x1b[0m  user"));
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["can_start"], false);
    assert_eq!(
        json["checks"][1],
        serde_json::json!({ "check": "kvm", "level": "warning", "text": "is missing", "mend": "load it" })
    );
    let fine = Report::new(findings().drain(..1).collect());
    assert!(fine.can_start() && fine.text(false).ends_with("\nThe server can start: no warnings.\n"));
}
