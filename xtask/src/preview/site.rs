//! The site: files and nothing else.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::console;
use crate::failure::{Context, Outcome};
use crate::shell::{announce, npm, root, run};

/// What lies in a site beside the files themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SiteExtras {
    /// Nothing, for a site that is not fetched from afar.
    None,
    /// The same compressed with Brotli, wherever that is smaller. It takes a while.
    Compressed,
}

/// Extensions of files that shrink. Pictures and fonts are compressed already.
const COMPRESSIBLE: [&str; 6] = ["css", "html", "js", "json", "svg", "wasm"];

/// Builds the console around a package and gathers the site in a folder, in the place of what was there.
pub fn build(package: &Path, out: &Path, companions: SiteExtras) -> Outcome {
    console::generate_client()?;
    announce("Building the console of the preview.");
    run(npm("console")
        .args(["run", "--silent", "build", "--", "--mode", "preview"])
        .env("CROFT_PREVIEW_PACKAGE", package))?;
    announce(&format!("Gathering the site in {}.", out.strip_prefix(root()).unwrap_or(out).display()));
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    gather(&root().join("console/dist-preview"), out, companions).context("cannot gather the site")?;
    // The console asks for them by these paths.
    for name in ["openapi.json", "openapi-croft.json"] {
        put(&out.join(name), &fs::read(root().join(name))?, companions)?;
    }
    // Paths of the console's own that somebody opens first: a static host answers them with this page.
    let index = fs::read(out.join("index.html")).context("the build has no index.html")?;
    Ok(put(&out.join("404.html"), &index, companions)?)
}

fn gather(source: &Path, target: &Path, companions: SiteExtras) -> io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let target = target.join(entry.file_name());
        // Vite's own notes are of no use to browsers.
        if entry.file_name() == ".vite" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), &target, companions)?;
        } else {
            put(&target, &fs::read(entry.path())?, companions)?;
        }
    }
    Ok(())
}

/// Writes a file and its companion.
fn put(path: &Path, content: &[u8], companions: SiteExtras) -> io::Result<()> {
    fs::write(path, content)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if companions == SiteExtras::Compressed && COMPRESSIBLE.contains(&extension) {
        let compressed = brotli(content)?;
        if compressed.len() < content.len() {
            fs::write(path.with_extension(format!("{extension}.br")), compressed)?;
        }
    }
    Ok(())
}

/// As small as it gets, as it is compressed once and fetched often.
pub fn brotli(content: &[u8]) -> io::Result<Vec<u8>> {
    const BUFFER: usize = 64 << 10;
    const QUALITY: u32 = 11;
    const WINDOW: u32 = 24;
    let mut writer = brotli::CompressorWriter::new(Vec::new(), BUFFER, QUALITY, WINDOW);
    writer.write_all(content)?;
    writer.flush()?;
    Ok(writer.into_inner())
}
