//! The console: pages and assets, from within the program or from a folder.
//!
//! Every page is one of two HTML files; the browser's code does the rest. Rules:
//! `docs/rules/identity-and-system.md#console-pages`.

mod assets;
mod pages;
mod source;

use std::{path::PathBuf, sync::Arc};

use axum::Router;
use croft_http::App;

pub use source::Source;

/// The routes of the console, whose pages say what runs the machines.
pub fn router(source: Source, machines: &str) -> Router<App> {
    let source = Arc::new(source);
    pages::router(source.clone(), machines).merge(assets::router(source))
}

/// The console that was chosen: the one within the program, or the one in a folder.
pub fn choose(folder: Option<PathBuf>) -> Source {
    folder.map_or(Source::Embedded, Source::Folder)
}
