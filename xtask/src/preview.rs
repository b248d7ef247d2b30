//! The technical preview: the core as a WebAssembly package, the console around it, and a site that any static host serves.

mod host;
mod package;
mod site;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::failure::Outcome;
use crate::shell::{root, target_directory};
pub use package::{check_size, package};
use site::SiteExtras;

/// What `cargo xtask preview` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// Serve the site once it is built, and print its address
    #[arg(long)]
    serve: bool,
    /// Where to serve it; with port 0 the system chooses one
    #[arg(long, requires = "serve", default_value = "127.0.0.1:12229")]
    listen: SocketAddr,
    /// The folder that the site is written to [default: target/preview/site]
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Builds the site, and serves it if that is asked for.
pub fn preview(arguments: &Arguments) -> Outcome {
    let out = arguments.out.as_ref().map_or_else(site_folder, |out| root().join(out));
    build(&out)?;
    if arguments.serve { host::serve(&out, arguments.listen) } else { Ok(()) }
}

fn site_folder() -> PathBuf {
    target_directory().join("preview/site")
}

fn build(out: &Path) -> Outcome {
    let package = package()?;
    check_size(&package)?;
    site::build(&package, out, SiteExtras::Compressed)
}

/// Builds the site, serves it for as long as the program runs, and answers where.
pub fn serve_site() -> Outcome<String> {
    let out = site_folder();
    build(&out)?;
    host::serve_aside(&out)
}

/// Builds the site for browsers on this machine and tells where it is.
pub fn local_site() -> Outcome<PathBuf> {
    let out = target_directory().join("preview/local-site");
    site::build(&package()?, &out, SiteExtras::None)?;
    Ok(out)
}
