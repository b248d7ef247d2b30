//! The first administrator's password where it cannot be shown to a person: in a file of the data directory, for as long
//! as it is needed. What is printed elsewhere than on a terminal ends in journals, which many can read and nobody empties.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use croft_api::{
    Error,
    scalar::{Name, UserId},
};
use croft_control::{Cx, Environment, Request, bootstrap};
use croft_store::{ChangeSignal, Database, Tx};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    data_directory,
    failure::{ExitKind, Failure, Result},
    first_start::{FIRST_SILO, FIRST_USER},
    system::{SystemRandom, now},
};

/// The file with the password.
pub fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("initial-password")
}

/// The file with the link.
pub fn link_path(data_dir: &Path) -> PathBuf {
    data_dir.join("setup-link")
}

/// A link that opens the sign-in of a server with the password filled in. Browsers send nobody what stands behind the #.
pub fn link(url: &str, password: &str) -> String {
    let password = utf8_percent_encode(password, NON_ALPHANUMERIC);
    format!("{url}/login/{FIRST_SILO}/local#user={FIRST_USER}&password={password}")
}

/// Writes the password and the link to files that only their owner can read.
pub fn keep(data_dir: &Path, url: &str, password: &str) -> Result<()> {
    write(&link_path(data_dir), &link(url, password))?;
    write(&path(data_dir), password)
}

fn write(path: &Path, text: &str) -> Result<()> {
    let written = data_directory::private(path).and_then(|mut file| {
        file.set_len(0)?;
        writeln!(file, "{text}")?;
        file.sync_all()
    });
    written.map_err(|error| {
        Failure::new(ExitKind::DataDirectory, format!("cannot write {}: {error}", path.display()))
            .hint("choose a directory that this user may write to with --data-dir")
    })
}

/// Removes the password and the link, if they exist.
pub fn forget(data_dir: &Path) {
    // The password last: while its file is there, both are still to be removed.
    for path in [link_path(data_dir), path(data_dir)] {
        remove(&path);
    }
}

fn remove(path: &Path) {
    match fs::remove_file(path) {
        Ok(()) => tracing::info!(path = %path.display(), "removed a file with the initial password"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "cannot remove a file with the initial password");
        }
    }
}

/// Removes the password once the administrator has another.
pub async fn follow(
    data_dir: PathBuf,
    database: Database,
    environment: Arc<Environment>,
    mut changes: ChangeSignal,
) {
    while path(&data_dir).exists() {
        let environment = environment.clone();
        match database.read(move |tx| has_served(tx, &environment)).await {
            Ok(true) => return forget(&data_dir),
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot find out whether the initial password is still needed");
            }
        }
        changes.changed().await;
    }
}

fn has_served(tx: &mut Tx<'_>, environment: &Arc<Environment>) -> Result<bool, Error> {
    let (request, mut random) = (Request::default(), SystemRandom);
    let mut cx = Cx::new(tx, now(), &mut random, environment, &request);
    let (silo, user): (Name, UserId) = (FIRST_SILO.parse()?, FIRST_USER.parse()?);
    bootstrap::first_password_has_served(&mut cx, &silo, &user)
}
