//! Gathers the built console for embedding, compressed in advance.
//!
//! Without a built console the folder is empty; the server then says so when it starts.

use std::{
    env, fs,
    hash::{DefaultHasher, Hasher as _},
    io,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Extensions of files that shrink. Pictures and fonts are compressed already.
const COMPRESSIBLE: [&str; 6] = ["css", "html", "js", "map", "svg", "txt"];

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let source = manifest.join("../../console/dist");
    let target = PathBuf::from(variable("OUT_DIR")).join("console");
    // Cargo can only watch what exists. A source tree that cannot be written to has no console to wait for.
    let _ = fs::create_dir_all(&source);
    println!("cargo::rerun-if-changed={}", source.display());
    println!("cargo::rerun-if-changed=build.rs");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    fs::create_dir_all(&target)?;
    let best = variable("PROFILE") == "release";
    if source.is_dir() { gather(&source, &target, best) } else { Ok(()) }
}

#[expect(clippy::disallowed_methods, reason = "Cargo speaks to build scripts through the environment")]
fn variable(name: &str) -> String {
    env::var(name).expect("Cargo sets it for build scripts")
}

fn gather(source: &Path, target: &Path, best: bool) -> io::Result<()> {
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() {
            // Vite's own notes, of no use to browsers.
            if name == ".vite" {
                continue;
            }
            fs::create_dir_all(target.join(name))?;
            gather(&path, &target.join(name), best)?;
        } else {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let mut content = fs::read(&path)?;
            if extension == "html" {
                content = stamp(&content, source)?;
            }
            // Source maps are big and read by developers only, whose browsers all take gzip.
            if extension != "map" {
                fs::write(target.join(name), &content)?;
            }
            if COMPRESSIBLE.contains(&extension) {
                fs::write(target.join(format!("{name}.gz")), gzip(&content, best)?)?;
            }
            if COMPRESSIBLE.contains(&extension) && extension != "map" {
                fs::write(target.join(format!("{name}.br")), brotli(&content, best)?)?;
            }
        }
    }
    Ok(())
}

/// Adds a hash of the content to the address of each asset whose name does not hold one, so that browsers may keep
/// every asset for ever.
fn stamp(page: &[u8], dist: &Path) -> io::Result<Vec<u8>> {
    let mut page = String::from_utf8_lossy(page).into_owned();
    let assets = dist.join("../public/assets");
    if assets.is_dir() {
        for entry in fs::read_dir(assets)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let Ok(content) = fs::read(dist.join("assets").join(&name)) else { continue };
            let mut hasher = DefaultHasher::new();
            hasher.write(&content);
            let hash = hasher.finish();
            page = page.replace(&format!("\"/assets/{name}\""), &format!("\"/assets/{name}?v={hash:016x}\""));
        }
    }
    Ok(page.into_bytes())
}

fn gzip(content: &[u8], best: bool) -> io::Result<Vec<u8>> {
    let level = if best { flate2::Compression::best() } else { flate2::Compression::fast() };
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
    encoder.write_all(content)?;
    encoder.finish()
}

fn brotli(content: &[u8], best: bool) -> io::Result<Vec<u8>> {
    let quality = if best { 11 } else { 1 };
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 64 * 1024, quality, 22);
    writer.write_all(content)?;
    writer.flush()?;
    drop(writer);
    Ok(compressed)
}
