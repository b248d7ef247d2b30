//! The console: pages and assets, embedded in the program or from a directory.
//!
//! Every page is one of two HTML files; the browser's code does the rest. Rules:
//! `docs/rules/identity-and-system.md#console-pages`.

mod assets;
mod pages;
mod preloads;
mod source;

use std::{path::PathBuf, sync::Arc};

use axum::Router;
use croft_http::App;

pub use source::Source;

/// The routes of the console. Pages contain the kind of hypervisor.
pub fn router(source: Source, machines: &str) -> Router<App> {
    let source = Arc::new(source);
    pages::router(source.clone(), machines).merge(assets::router(source))
}

/// The configured console: the embedded one, or the one in a directory.
pub fn choose(folder: Option<PathBuf>) -> Source {
    folder.map_or(Source::Embedded, Source::Folder)
}
