//! Which drivers of the kernel the guest loads, and in which order.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};

/// The drivers of Croft's machines: disks, network, randomness, the power button, and the cidata volume's formats.
const WANTED: [&str; 13] = [
    "virtio_pci",
    "virtio_blk",
    "virtio_net",
    "virtio_rng",
    "button",
    "evdev",
    "vfat",
    "isofs",
    "sr_mod",
    "nls_cp437",
    "nls_ascii",
    "nls_iso8859_1",
    "nls_utf8",
];

/// A driver's file.
pub struct Module {
    /// Its file's name.
    pub name: String,
    /// Its content.
    pub content: Vec<u8>,
}

/// The wanted drivers and what they need, each after those that it needs.
pub fn load_order(modules: &Path) -> Outcome<Vec<Module>> {
    let mut files = HashMap::new();
    collect(modules, &mut files)?;
    let mut ordered = Vec::new();
    let mut done = Vec::new();
    for name in WANTED {
        add(name, &files, &mut done, &mut ordered)?;
    }
    Ok(ordered)
}

/// Dashes and underscores mean the same in a module's name.
fn canonical(name: &str) -> String {
    name.replace('-', "_")
}

fn collect(folder: &Path, files: &mut HashMap<String, PathBuf>) -> Outcome {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "ko")
            && let Some(name) = path.file_stem().and_then(|name| name.to_str())
        {
            files.insert(canonical(name), path);
        }
    }
    Ok(())
}

fn add(
    name: &str,
    files: &HashMap<String, PathBuf>,
    done: &mut Vec<String>,
    ordered: &mut Vec<Module>,
) -> Outcome {
    let name = canonical(name);
    if done.contains(&name) {
        return Ok(());
    }
    let path = files.get(&name).ok_or_else(|| Failure::new(format!("the kernel has no driver {name}")))?;
    let content = fs::read(path).context("cannot read a driver")?;
    done.push(name.clone());
    for needed in needs(&content) {
        add(&needed, files, done, ordered)?;
    }
    ordered.push(Module { name: format!("{name}.ko"), content });
    Ok(())
}

/// What a driver's own information says that it needs.
fn needs(content: &[u8]) -> Vec<String> {
    const KEY: &[u8] = b"\0depends=";
    let Some(start) = content.windows(KEY.len()).position(|window| window == KEY) else { return Vec::new() };
    let value = content[start + KEY.len()..].split(|byte| *byte == 0).next().unwrap_or_default();
    let list = String::from_utf8_lossy(value);
    list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::needs;

    #[test]
    fn what_a_driver_needs_stands_in_its_information() {
        assert_eq!(needs(b"x\0license=GPL\0depends=virtio,virtio_ring\0y"), ["virtio", "virtio_ring"]);
        assert!(needs(b"x\0depends=\0y").is_empty());
        assert!(needs(b"nothing").is_empty());
    }
}
