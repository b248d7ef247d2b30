//! Profiles: servers and the tokens for them, in a file of the user's.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};

const FILE: &str = "profiles.toml";

/// Everything in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Profiles {
    /// The profile that is used if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// By name.
    #[serde(default, rename = "profile")]
    pub all: IndexMap<String, Profile>,
}

/// A server, and the token for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Profile {
    /// The server's address.
    pub server: String,
    /// The bearer token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The token's id, with which it can be deleted; unknown if the token was given by the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_id: Option<String>,
    /// The project of commands that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// A file of certificates that are trusted for this server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_file: Option<String>,
}

impl Profiles {
    /// Reads the file; without one there are no profiles.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not what [`Self::save`] writes.
    pub fn load(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text)
                .map_err(|error| Failure::Usage(format!("{} cannot be understood: {error}", path.display()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(Failure::io(format!("cannot read {}", path.display()))(error)),
        }
    }

    /// Writes the file, which only its owner can read, in one step.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE);
        let cannot = || format!("cannot write {}", path.display());
        let text = toml::to_string(self).map_err(|error| Failure::Usage(format!("{}: {error}", cannot())))?;
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700).create(folder).map_err(Failure::io(cannot()))?;
        let next = folder.join(format!("{FILE}.{}", std::process::id()));
        let written = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&next)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&next, &path));
        if written.is_err() {
            let _ = fs::remove_file(&next);
        }
        written.map_err(Failure::io(cannot()))
    }

    /// The profile of a name, or the current one.
    ///
    /// # Errors
    ///
    /// There is no profile of the name.
    pub fn find(&self, name: Option<&str>) -> Result<Option<(&str, &Profile)>> {
        let Some(wanted) = name.or(self.current.as_deref()) else { return Ok(None) };
        match self.all.get_key_value(wanted) {
            Some((name, profile)) => Ok(Some((name, profile))),
            None if name.is_some() => {
                let known: Vec<_> = self.all.keys().map(String::as_str).collect();
                let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
                Err(Failure::Usage(format!("there is no profile `{wanted}`; profiles: {known}")))
            }
            None => Ok(None),
        }
    }
}

/// The folder of the profiles unless another is named: `$XDG_CONFIG_HOME/croft` or `~/.config/croft`.
pub fn default_folder(configuration: Option<&str>) -> Option<PathBuf> {
    let absolute = configuration.map(PathBuf::from).filter(|path| path.is_absolute());
    Some(absolute.or_else(|| Some(std::env::home_dir()?.join(".config")))?.join("croft"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn profile(server: &str) -> Profile {
        Profile {
            server: server.to_owned(),
            token: Some("secret".to_owned()),
            token_id: None,
            project: None,
            ca_file: None,
        }
    }

    #[test]
    fn profiles_are_kept_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("croft");
        assert!(Profiles::load(&place).unwrap().all.is_empty());
        let mut profiles = Profiles { current: Some("lab".to_owned()), ..Profiles::default() };
        profiles.all.insert("lab".to_owned(), profile("https://lab.example"));
        profiles.save(&place).unwrap();
        let mode = fs::metadata(place.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let read = Profiles::load(&place).unwrap();
        assert_eq!(read.find(None).unwrap().unwrap().1.token.as_deref(), Some("secret"));
        assert!(read.find(Some("other")).unwrap_err().to_string().contains("profiles: lab"));
    }

    #[test]
    fn a_file_that_is_no_toml_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "{").unwrap();
        let failure = Profiles::load(folder.path()).unwrap_err();
        assert!(failure.to_string().contains(FILE), "{failure}");
    }
}
