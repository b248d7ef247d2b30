use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::json;

use super::debian::filled;
use super::program::{glibc, linked, needed};
use super::tree::Tree;
use super::{notices, sbom, text};
use crate::supply_chain::Part;
use crate::supply_chain::package::{Package, Registry, Source};

fn part(registry: Registry, name: &str, licence: &str, checksum: &str, folder: PathBuf) -> Part {
    let package = Package {
        registry,
        name: name.into(),
        version: "1.2.3+build".parse().unwrap(),
        licence: None,
        source: Source::Registry,
        checksum: Some(checksum.into()),
        folder,
        shipped: true,
    };
    Part { package, licence: licence.into() }
}

#[test]
fn what_the_program_needs_is_read_from_the_tools() {
    let headers = "  NEEDED               libgcc_s.so.1\n  NEEDED               libc.so.6\nVersion References:\n  \
                   required from libc.so.6:\n    0x06969189 0x00 04 GLIBC_2.9\n    0x06969189 0x00 04 GLIBC_2.34\n    \
                   0x1 0x00 02 GLIBC_PRIVATE\n";
    assert_eq!(needed(headers), ["libgcc_s.so.1", "libc.so.6"]);
    assert_eq!(glibc(headers).as_deref(), Some("2.34"));
    let printed = "\tlinux-vdso.so.1 (0x1)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x2)\n\t/lib64/ld-linux.so.2 (0x3)\n";
    assert_eq!(
        linked(printed),
        [PathBuf::from("/lib/x86_64-linux-gnu/libc.so.6"), "/lib64/ld-linux.so.2".into()]
    );
}

#[test]
fn components_have_addresses_licenses_and_hashes() {
    let cargo = part(Registry::Cargo, "used", "MIT", "00ff", PathBuf::new());
    assert_eq!(
        sbom::component(&cargo),
        json!({
            "type": "library", "bom-ref": "pkg:cargo/used@1.2.3%2Bbuild", "name": "used", "version": "1.2.3+build",
            "purl": "pkg:cargo/used@1.2.3%2Bbuild", "licenses": [{ "expression": "MIT" }],
            "hashes": [{ "alg": "SHA-256", "content": "00ff" }],
        })
    );
    let npm = sbom::component(&part(Registry::Npm, "@scope/used", "ISC", "sha512-AP8=", PathBuf::new()));
    assert_eq!((&npm["group"], &npm["name"]), (&json!("@scope"), &json!("used")));
    assert_eq!(npm["purl"], "pkg:npm/%40scope/used@1.2.3%2Bbuild");
    assert_eq!(npm["hashes"], json!([{ "alg": "SHA-512", "content": "00ff" }]));
    let document = sbom::document(&[cargo], "0.1.0", "0").unwrap();
    let document: serde_json::Value = serde_json::from_slice(&document).unwrap();
    assert_eq!(document["metadata"]["timestamp"], "1970-01-01T00:00:00Z");
}

#[test]
fn each_license_text_is_there_once_with_its_packages() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("LICENSE-MIT"), "Do as you like.\r\n").unwrap();
    fs::write(folder.path().join("license.rs"), "fn main() {}").unwrap();
    let own = |name| part(Registry::Cargo, name, "MIT", "00", folder.path().to_owned());
    let none = part(Registry::Cargo, "bare", "ISC", "00", "/nonexistent".into());
    let text = String::from_utf8(notices::of(&[own("first"), own("second"), none]).unwrap()).unwrap();
    assert_eq!(text.matches("Do as you like.").count(), 1, "{text}");
    assert!(text.contains("first 1.2.3+build (MIT)\nsecond 1.2.3+build (MIT)\n"), "{text}");
    assert!(text.contains("ISC License") && !text.contains("fn main"), "{text}");
}

#[test]
fn archives_do_not_depend_on_where_and_when_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let mut tree = Tree::default();
    tree.add("b/file", 0o640, b"content".to_vec());
    tree.add_folder("a/empty", 0o700);
    let archives = ["first", "second"].map(|name| {
        let path = tree.archive(&folder.path().join(name), "1000000000").unwrap();
        fs::read(path).unwrap()
    });
    assert!(archives[0] == archives[1]);
    let mode = |path: &str| {
        fs::metadata(folder.path().join("first").join(path)).unwrap().permissions().mode() & 0o7777
    };
    assert_eq!([mode("b"), mode("b/file"), mode("a"), mode("a/empty")], [0o755, 0o640, 0o755, 0o700]);
}

#[test]
fn templates_are_filled_completely() {
    for (template, names) in [
        ("packaging/debian/control", &["VERSION", "ARCHITECTURE", "SIZE", "LIBRARIES"][..]),
        ("packaging/debian/copyright", &["MIT"]),
    ] {
        let values: Vec<(&str, &str)> = names.iter().map(|name| (*name, "x")).collect();
        let filled = filled(&text(template).unwrap(), &values);
        assert!(!filled.replace("developers@croft", "").contains('@'), "{filled}");
    }
}

#[test]
fn the_unit_and_the_scripts_name_the_same_places() {
    let unit = text("packaging/systemd/croft.service").unwrap();
    assert!(unit.contains("\nExecStart=/usr/bin/croft serve --config /etc/croft/croft.toml\n"), "{unit}");
    // A mount namespace would hide the networks of guests from the next server.
    let set = unit.lines().filter(|line| !line.starts_with('#'));
    let hides =
        ["Protect", "Private", "ReadOnly", "ReadWrite", "Inaccessible", "TemporaryFile", "Bind", "Root"];
    for line in set {
        assert!(!hides.iter().any(|start| line.starts_with(start)), "{line}");
    }
    assert!(unit.contains("\nKillMode=process\n") && unit.contains("\nType=notify\n"));
    let configuration = text("packaging/croft.toml").unwrap();
    assert!(configuration.contains("\ndata-dir = \"/var/lib/croft\"\n"));
}
