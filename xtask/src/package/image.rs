//! The container image: the program with the libraries that it needs, and nothing else, as an OCI layout.
//!
//! A container has neither KVM nor networks for guests, so there is no QEMU in it: machines are simulated.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::tree::{Tree, compress};
use super::{Release, fresh, sha256};
use crate::failure::{Context, Failure, Outcome};
use crate::shell::{capture, command, run};

/// What Debian's packages of the libraries say about their licenses.
const PAPERS: [&str; 3] = ["libc6", "libgcc-s1", "ca-certificates"];
/// The authorities that receivers of alerts and identity providers may be certified by.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Builds the image, as a folder and as an archive of it, and answers the archive.
pub(super) fn build(release: &Release, folder: &Path) -> Outcome<Vec<PathBuf>> {
    let layer = tree(release)?.archive(&folder.join("work/layer"), &release.epoch)?;
    let whole = sha256(&layer)?;
    let compressed = layer.with_extension("tar.gz");
    compress(&layer, &compressed)?;

    let name = format!("croft-{}-oci", release.version);
    let layout = folder.join(&name);
    fresh(&layout.join("blobs/sha256"))?;
    let layer = keep(&layout, &compressed, "application/vnd.oci.image.layer.v1.tar+gzip")?;
    let config =
        write(&layout, folder, &config(release, &whole)?, "application/vnd.oci.image.config.v1+json")?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config,
        "layers": [layer],
    });
    let mut manifest = write(&layout, folder, &manifest, "application/vnd.oci.image.manifest.v1+json")?;
    manifest["annotations"] = json!({ "org.opencontainers.image.ref.name": release.version });
    fs::write(layout.join("oci-layout"), json!({ "imageLayoutVersion": "1.0.0" }).to_string())?;
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [manifest],
    });
    fs::write(layout.join("index.json"), index.to_string())?;

    let archive = folder.join(format!("{name}.tar"));
    let mut tar = command("tar");
    tar.args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.args(["--mode=u=rwX,go=rX", &format!("--mtime=@{}", release.epoch)]);
    tar.arg("--file").arg(&archive).arg("--directory").arg(&layout).args([
        "blobs",
        "index.json",
        "oci-layout",
    ]);
    run(&mut tar)?;
    Ok(vec![archive])
}

/// What is in the image.
fn tree(release: &Release) -> Outcome<Tree> {
    let mut tree = Tree::default();
    tree.add("usr/bin/croft", 0o755, release.program.content.clone());
    for library in &release.program.libraries {
        let content = fs::read(library).context(format!("cannot read {}", library.display()))?;
        tree.add(inside(library), 0o755, content);
    }
    for package in PAPERS {
        let path = format!("/usr/share/doc/{package}/copyright");
        let content = fs::read(&path).map_err(|error| {
            Failure::new(format!("cannot read {path}: {error}; install the package {package}"))
        })?;
        tree.add(inside(Path::new(&path)), 0o644, content);
    }
    tree.add(inside(Path::new(AUTHORITIES)), 0o644, fs::read(AUTHORITIES).context(AUTHORITIES)?);
    tree.add("usr/share/doc/croft/third-party-notices", 0o644, release.notices.clone());
    tree.add("etc/passwd", 0o644, b"root:x:0:0:root:/root:/sbin/nologin\n".to_vec());
    tree.add("etc/group", 0o644, b"root:x:0:\n".to_vec());
    tree.add_folder("tmp", 0o1777);
    tree.add_folder("var/lib/croft", 0o700);
    Ok(tree)
}

fn inside(path: &Path) -> &str {
    path.to_str().unwrap_or_default().trim_start_matches('/')
}

fn config(release: &Release, layer: &str) -> Outcome<Value> {
    let seconds = release.epoch.parse().context("the time of the commit")?;
    let created = Timestamp::from_second(seconds).context("the time of the commit")?;
    let commit = capture(command("git").args(["rev-parse", "HEAD"]))?;
    Ok(json!({
        "created": created.to_string(),
        "architecture": release.architecture,
        "os": "linux",
        "config": {
            "Entrypoint": ["/usr/bin/croft"],
            "Cmd": ["serve"],
            "Env": ["PATH=/usr/bin", "CROFT_DATA_DIR=/var/lib/croft", "CROFT_LISTEN=0.0.0.0:12220"],
            "ExposedPorts": { "12220/tcp": {} },
            "Volumes": { "/var/lib/croft": {} },
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "croft",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.revision": commit.trim(),
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created": created.to_string(), "created_by": "cargo xtask package" }],
    }))
}

/// Writes a document among the blobs, and answers its descriptor.
fn write(layout: &Path, folder: &Path, document: &Value, media_type: &str) -> Outcome<Value> {
    let path = folder.join("work/document.json");
    fs::write(&path, document.to_string())?;
    keep(layout, &path, media_type)
}

/// Copies a file among the blobs, and answers its descriptor.
fn keep(layout: &Path, path: &Path, media_type: &str) -> Outcome<Value> {
    let digest = sha256(path)?;
    let size = fs::copy(path, layout.join("blobs/sha256").join(&digest))?;
    Ok(json!({ "mediaType": media_type, "digest": format!("sha256:{digest}"), "size": size }))
}
