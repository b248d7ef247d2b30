//! The NoCloud volume that tells a guest who it is: a small FAT file system labelled `CIDATA`.
//!
//! The files and their places: cloud-init's documentation, "NoCloud".

use std::{
    fmt::Write as _,
    io::{self, Cursor, Write as _},
};

use fatfs::{FatType, FileSystem, FormatVolumeOptions, FsOptions};

use crate::MachineSpec;

/// Bytes of the volume: a MiB, more than twice what user data and keys can take.
const SIZE: usize = 1 << 20;
/// Bytes of a cluster.
const CLUSTER: u32 = 512;
const ROOT_ENTRIES: u16 = 64;
const LABEL: [u8; 11] = *b"CIDATA     ";

/// The volume for a machine.
pub(super) fn volume(spec: &MachineSpec) -> Result<Vec<u8>, VolumeError> {
    let mut files = vec![("meta-data", meta_data(spec).into_bytes()), ("user-data", spec.user_data.clone())];
    if !spec.interfaces.is_empty() {
        files.push(("network-config", network_config(spec).into_bytes()));
    }
    file_system(&files)
}

/// Why there is no volume for a machine.
#[derive(Debug, thiserror::Error)]
pub(super) enum VolumeError {
    /// What is to be told to the guest does not fit.
    #[error("user data and SSH keys are too large together")]
    TooLarge,
    /// The file system cannot be made.
    #[error("cannot create the cloud-init volume: {0}")]
    FileSystem(#[from] io::Error),
}

/// A YAML string on one line; JSON's strings are YAML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn meta_data(spec: &MachineSpec) -> String {
    let mut text = format!(
        "instance-id: {}\nlocal-hostname: {}\n",
        quoted(&spec.instance_id.to_string()),
        quoted(&spec.hostname)
    );
    if !spec.public_keys.is_empty() {
        text.push_str("public-keys:\n");
    }
    for key in &spec.public_keys {
        let _ = writeln!(text, "  - {}", quoted(key.trim()));
    }
    text
}

/// Every interface asks for its address, which is always the same.
fn network_config(spec: &MachineSpec) -> String {
    let mut text = "version: 2\nethernets:\n".to_owned();
    for interface in &spec.interfaces {
        let family = if interface.ip.is_ipv4() { 4 } else { 6 };
        let mac = quoted(&interface.mac.to_string().to_lowercase());
        let slot = interface.slot;
        let _ = writeln!(text, "  nic{slot}:\n    match:\n      macaddress: {mac}\n    dhcp{family}: true");
    }
    text
}

fn file_system(files: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, VolumeError> {
    let mut image = Cursor::new(vec![0; SIZE]);
    let options = FormatVolumeOptions::new()
        .fat_type(FatType::Fat12)
        .bytes_per_cluster(CLUSTER)
        .max_root_dir_entries(ROOT_ENTRIES)
        .volume_label(LABEL);
    fatfs::format_volume(&mut image, options)?;
    let volume = FileSystem::new(&mut image, FsOptions::new())?;
    let needed: usize = files.iter().map(|(_, content)| content.len().div_ceil(CLUSTER as usize)).sum();
    if needed > volume.stats()?.free_clusters() as usize {
        return Err(VolumeError::TooLarge);
    }
    for (name, content) in files {
        let mut file = volume.root_dir().create_file(name)?;
        file.write_all(content)?;
        file.flush()?;
    }
    volume.unmount()?;
    Ok(image.into_inner())
}

#[cfg(test)]
mod tests;
