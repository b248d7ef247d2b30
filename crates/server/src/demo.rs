//! `croft serve --demo`: a database filled with the demo, and an identity provider for its users.
//!
//! The provider's key is generated at each start and exists only in memory. A server without `--demo` has neither the
//! key nor the pages, so nobody can sign in through it any more.

mod identity_provider;

use std::sync::Arc;

use axum::Router;
use croft_api::Error;
use croft_control::{Environment, Request};
use croft_demo::{Content, ProviderPlace};
use croft_http::App;
use croft_sled::simulated::Simulated;
use croft_store::{Database, telemetry::Telemetry};

use crate::{
    failure::{ExitKind, Failure, Result},
    first_start,
    system::{SystemRandom, now},
};
use identity_provider::IdentityProvider;

/// The warning for operators of such a server.
pub const WARNING: &str = "This is a demonstration: anyone who can reach this server can sign in as any \
                           user, administrators included. Do not expose it to others, and do not store real \
                           data in it.";

/// The demo of a server with `--demo`.
pub struct Demo {
    provider: Arc<IdentityProvider>,
}

impl Demo {
    /// Fills the database if it is empty, and starts the identity provider.
    pub fn open(
        database: &Database,
        samples: &Telemetry,
        environment: &Arc<Environment>,
        hypervisor: &Arc<Simulated>,
    ) -> Result<Self> {
        match database.read_blocking(croft_demo::content).map_err(failed)? {
            Content::Other => {
                let message = "--demo needs an empty database, and this one has other data";
                return Err(Failure::new(ExitKind::Configuration, message)
                    .hint("choose another folder with --data-dir, or leave --demo out"));
            }
            Content::Empty => {
                croft_demo::seed(database, samples, environment, hypervisor, now(), &mut SystemRandom)
                    .map_err(failed)?;
            }
            Content::Demo => {}
        }
        let provider = IdentityProvider::new()?;
        let place = provider.place();
        Self::place_provider(database, environment, place)?;
        tracing::warn!(WARNING);
        Ok(Self { provider: Arc::new(provider) })
    }

    fn place_provider(
        database: &Database,
        environment: &Arc<Environment>,
        place: ProviderPlace,
    ) -> Result<()> {
        first_start::run_rule(database, environment, Request::default(), move |cx| {
            croft_demo::place_provider(cx, &place)
        })
    }

    /// The pages of the identity provider.
    pub fn router(&self) -> Router<App> {
        identity_provider::router(&self.provider)
    }

    /// How to sign in, for the operator.
    pub fn notice() -> String {
        let names: Vec<&str> = croft_demo::PEOPLE.iter().map(|person| person.name).collect();
        format!(
            "{WARNING}\nSign in to the silo \"{}\" with \"{}\", and select a user: {}.\n\n",
            croft_demo::SILO,
            croft_demo::PROVIDER,
            names.join(", ")
        )
    }
}

fn failed(error: Error) -> Failure {
    match &error {
        Error::Internal { .. } | Error::Unavailable { .. } => {
            Failure::new(ExitKind::Database, error.detail().unwrap_or_default().to_owned())
        }
        _ => error.into(),
    }
}
