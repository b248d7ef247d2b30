use std::fs;

use super::*;
use crate::failure::ExitKind;

fn file(content: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), content).unwrap();
    file
}

#[test]
fn errors_in_the_file_are_named_without_quoting_values() {
    let file = file("workers = 2\ndatabase-url = [\"postgresql://u:secret@host/d\"]\n");
    let options = Options { config: Some(file.path().to_owned()), ..Options::default() };
    let text = options.resolve().unwrap_err().to_string();
    assert!(text.contains("line 2: invalid type: sequence, expected a string"), "{text}");
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn command_line_overrides_file_and_file_overrides_default() {
    let file = file("session-idle = 7\nworkers = 3\nhypervisor = \"simulated\"\nacceleration = \"tcg\"\n");
    let options =
        Options { config: Some(file.path().to_owned()), session_idle: Some(9), ..Options::default() };
    let config = options.resolve().unwrap();
    assert_eq!((config.session_idle, config.workers, config.session_absolute), (9, 3, 1440));
    assert_eq!(config.hypervisor, HypervisorKind::Simulated);
    assert_eq!(config.acceleration, AccelerationKind::Tcg);
    assert_eq!(config.listen.to_string(), "127.0.0.1:12220");
    assert_eq!(config.external_suffixes, [ExternalSuffix::default()]);
}

#[test]
fn mistakes_are_reported() {
    let refuse = |content: &str| {
        let file = file(content);
        let options = Options { config: Some(file.path().to_owned()), ..Options::default() };
        options.resolve().unwrap_err().to_string()
    };
    assert!(refuse("wokers = 3").contains("unknown field `wokers`"));
    assert!(refuse("workers = 0").contains("workers must be from 1 to 64, not 0"));
    assert!(refuse("listen = \"here\"").contains("invalid socket address"));
    assert!(
        refuse("external-suffix = [\"a\", \"b c\"]").contains("external-suffix: \"b c\" is not a DNS name")
    );
    assert!(
        refuse("trusted-proxy = [\"proxy\"]").contains("trusted-proxy: \"proxy\" is neither an IP address")
    );
    assert!(
        refuse("webhook-allow = [\"hook\"]").contains("webhook-allow: \"hook\" is neither an IP address")
    );
    assert!(
        refuse("webhook-ca = \"/nonexistent.pem\"").contains("webhook-ca: cannot read /nonexistent.pem: ")
    );
    assert!(refuse("acceleration = \"kvm\"\nhypervisor = \"simulated\"").contains("needs QEMU"));
    assert!(refuse("acceleration = \"hvf\"").contains("unknown variant `hvf`"));
    assert!(refuse("alert-retention = 36501").contains("alert-retention must be from 0 to 36500"));
    assert!(
        refuse("support-bundle-retention = 36501")
            .contains("support-bundle-retention must be from 0 to 36500")
    );
    for text in ["90", "59m", "-3d", "a while", "0d", "1y"] {
        let refusal = refuse(&format!("audit-retention = \"{text}\""));
        assert!(refusal.contains(&format!("audit-retention: \"{text}\" is not a duration")), "{refusal}");
    }
    assert!(refuse("deleted-retention = 36501").contains("deleted-retention must be from 0 to 36500"));
    assert!(
        refuse("external-interface = \"eth0\"\nguest-network = \"isolated\"")
            .contains("set guest-network to vpc or auto")
    );
    assert!(
        refuse("external-interface = \"eth0\"\nhypervisor = \"simulated\"")
            .contains("hypervisor is simulated")
    );
    assert!(refuse("dns-upstream = [\"192.0.2.1\"]").contains("needs external-interface"));
    let upstream = |texts: &str| refuse(&format!("external-interface = \"eth0\"\ndns-upstream = [{texts}]"));
    for text in ["dns.example", "0.0.0.0", "192.0.2.1:0"] {
        let refusal = upstream(&format!("\"{text}\""));
        assert!(refusal.contains(&format!("dns-upstream: \"{text}\" is not an IP address")), "{refusal}");
    }
    assert!(
        upstream("\"1.1.1.1\", \"1.1.1.2\", \"1.1.1.3\", \"1.1.1.4\"")
            .contains("at most 3 resolvers are allowed")
    );
    assert!(refuse("longest-subnet-prefix = 30").contains("longest-subnet-prefix must be from 8 to 29"));
    assert!(
        refuse("shortest-subnet-prefix = 27").contains("longest-subnet-prefix must be from 27 to 29, not 26")
    );
    assert!(refuse("simulated-speed = 0.0").contains("simulated-speed must be from 0.01"));
    assert!(refuse("simulated-sleds = 0").contains("simulated-sleds must be from 1 to 32, not 0"));
    let missing = Options { config: Some("/nonexistent/croft.toml".into()), ..Options::default() };
    let failure = missing.resolve().unwrap_err();
    assert_eq!(failure.kind, ExitKind::Configuration);
}

#[test]
fn audit_log_is_kept_forever_by_default() {
    let retention = |text: Option<&str>| {
        let options = Options { audit_retention: text.map(str::to_owned), ..Options::default() };
        options.resolve().unwrap().audit_retention
    };
    assert_eq!(retention(None), None);
    for (text, hours) in [("90d", 90 * 24), ("1w 12h", 7 * 24 + 12), ("1h", 1)] {
        assert_eq!(retention(Some(text)), Some(SignedDuration::from_hours(hours)), "{text}");
    }
}

#[test]
fn a_metrics_token_is_read_from_its_file() {
    let token = file("0123456789abcdef\nignored\n");
    let options = Options { metrics_token_file: Some(token.path().to_owned()), ..Options::default() };
    assert_eq!(options.resolve().unwrap().metrics_token.as_deref(), Some("0123456789abcdef"));
    let short = file("abc");
    let options = Options { metrics_token_file: Some(short.path().to_owned()), ..Options::default() };
    assert!(options.resolve().unwrap_err().to_string().contains("at least 16 characters"));
}
