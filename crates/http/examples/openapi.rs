//! Writes the OpenAPI documents, as the routes and types in use make them, to a folder: what `cargo xtask openapi` runs.

use std::{env, fs, path::PathBuf};

use croft_http::openapi::Document;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).expect("the folder to write to is the only argument"));
    for document in [Document::Contract, Document::Extensions] {
        let (path, text) = (folder.join(document.file()), document.describe());
        if fs::read_to_string(&path).is_ok_and(|written| written == text) {
            println!("{} is up to date", document.file());
        } else {
            fs::write(&path, text)?;
            println!("{} written", document.file());
        }
    }
    Ok(())
}
