//! The log: one line per event, to standard error.

use tracing_subscriber::EnvFilter;

use crate::{
    config::{Config, LogFormat},
    failure::{ExitKind, Failure, Result},
};

/// Begins logging as configured.
pub fn start(config: &Config) -> Result<()> {
    let filter = EnvFilter::try_new(&config.log_level).map_err(|error| {
        Failure::new(ExitKind::Configuration, format!("log-level {:?}: {error}", config.log_level))
            .hint("use error, warn, info, debug or trace, as in info,croft::request=warn")
    })?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match config.log_format {
        LogFormat::Text => builder.with_ansi(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(false).try_init(),
    };
    started.map_err(|error| Failure::new(ExitKind::Failed, format!("cannot begin logging: {error}")))
}
