//! `croft admin`: changes the database directly, on the server's own host, also while the server runs.

use std::{io, io::BufRead as _, net::Ipv4Addr, sync::Arc};

use croft_api::{Error, Result as RuleResult, Uuid, scalar::Password};
use croft_control::{
    Cx, Environment, Operation, Random, Request, Settings, allow_list, bootstrap, execute, operation,
    second_factor, sled, token,
};
use croft_store::Database;
use jiff::SignedDuration;

use crate::{
    cli::AdminCommand,
    config::{DEFAULT_DATA_DIR, DataSource},
    data_directory::{DATABASE, DataDirectory},
    database_url,
    failure::{ExitKind, Failure, Result},
    first_start::{FIRST_SILO, FIRST_USER, run_rule},
    initial_password, password, secret_key, storage,
    system::SystemRandom,
};

/// Runs the command and prints the result.
pub fn run(command: AdminCommand) -> Result<()> {
    match command {
        AdminCommand::ResetPassword { source, silo, user, password_stdin } => {
            let data_dir = source.data_dir.clone().unwrap_or_else(|| DEFAULT_DATA_DIR.into());
            let (database, environment) = open(source)?;
            let (text, generated) =
                if password_stdin { (read_line()?, false) } else { (password::generate()?, true) };
            let parsed: Password = text.parse().map_err(Error::from)?;
            let hash = password::hash_new(&parsed, user.as_str())?;
            let (name, of) = (user.clone(), silo.clone());
            let asks_for_more =
                perform(&database, &environment, &operation::ADMIN_RESET_PASSWORD, move |cx| {
                    // Whoever sees the output knows the password.
                    bootstrap::reset_password(cx, &of, &name, &hash, generated)?;
                    second_factor::user_has_any(cx, &of, &name)
                })?;
            if silo.as_str() == FIRST_SILO && user.as_str() == FIRST_USER {
                initial_password::forget(&data_dir);
            }
            if generated {
                println!("{text}");
                eprintln!("The user must change it at the next sign-in.");
            }
            eprintln!(
                "Changed the password of {user} in silo {silo}, and ended the user's sessions and tokens."
            );
            if asks_for_more {
                eprintln!("The user's second factor stays; `croft admin reset-second-factor` removes it.");
            }
        }
        AdminCommand::ResetSecondFactor { source, silo, user } => {
            let (database, environment) = open(source)?;
            let (name, of) = (user.clone(), silo.clone());
            let had_any =
                perform(&database, &environment, &operation::ADMIN_RESET_SECOND_FACTOR, move |cx| {
                    second_factor::reset_on_host(cx, &of, &name)
                })?;
            let found = if had_any {
                "All second factors and recovery codes were removed from"
            } else {
                "There was no second factor to remove from"
            };
            eprintln!("{found} {user} in silo {silo}; the user's sessions and tokens were ended.");
        }
        AdminCommand::Token { source, silo, user, name, expires, never_expires } => {
            let (database, environment) = open(source)?;
            let life = (!never_expires).then(|| SignedDuration::from_hours(i64::from(expires) * 24));
            let token = perform(&database, &environment, &operation::ADMIN_TOKEN_CREATE, move |cx| {
                token::create(cx, &silo, &user, &name, life)
            })?;
            println!("{}", token.text);
        }
        AdminCommand::ExpungeSled { source, serial } => {
            let (database, environment) = open(source)?;
            let wanted = serial.clone();
            perform(&database, &environment, &operation::ADMIN_SLED_EXPUNGE, move |cx| {
                sled::expunge(cx, &wanted)
            })?;
            eprintln!("Expunged sled {serial}. A running server notices this within a minute.");
        }
        AdminCommand::AllowAnySource { source } => {
            let (database, environment) = open(source)?;
            perform(&database, &environment, &operation::ADMIN_ALLOW_ANY_SOURCE, allow_list::allow_any)?;
            eprintln!(
                "Connections from any address are allowed. A running server notices this within seconds."
            );
        }
    }
    Ok(())
}

/// Runs a rule for an operator on this host, with an entry in the audit log.
fn perform<T: Send + 'static>(
    database: &Database,
    environment: &Arc<Environment>,
    operation: &'static Operation,
    mut rule: impl FnMut(&mut Cx<'_, '_>) -> RuleResult<T> + Send + 'static,
) -> Result<T> {
    let mut id = [0; 16];
    Random::fill_bytes(&mut SystemRandom, &mut id);
    let request = Request {
        id: Uuid::from_bytes(id),
        started: None,
        uri: format!("croft admin: {}", operation.id),
        source: Some(Ipv4Addr::LOCALHOST.into()),
        user_agent: Some(concat!("croft/", env!("CARGO_PKG_VERSION")).to_owned()),
    };
    let answer =
        run_rule(database, environment, request, move |cx| execute::on_host(cx, operation, &mut rule))?;
    Ok(answer?)
}

fn open(source: DataSource) -> Result<(Database, Arc<Environment>)> {
    let path = source.data_dir.unwrap_or_else(|| DEFAULT_DATA_DIR.into());
    if source.database_url.is_none() && !path.join(DATABASE).is_file() {
        let message = format!("there is no Croft database in {}", path.display());
        return Err(Failure::new(ExitKind::DataDirectory, message)
            .hint("name the server's data directory with --data-dir; `croft serve` creates a new one"));
    }
    let directory = DataDirectory::existing(&path)?;
    let postgres =
        database_url::postgres(source.database_url.as_deref(), source.allow_plain_database.unwrap_or(false))?;
    let database = storage::open(&directory, postgres.as_ref(), 1, 1)?;
    let secret_key = secret_key::existing(&directory, &database)?;
    let environment =
        Environment::new(Settings::default(), secret_key, |error| croft_http::status(error).as_u16());
    Ok((database, Arc::new(environment)))
}

fn read_line() -> Result<String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(|error| {
        Failure::new(ExitKind::Configuration, format!("cannot read the password: {error}"))
    })?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    let password = password.strip_suffix('\r').unwrap_or(password);
    if password.is_empty() {
        return Err(Failure::new(ExitKind::Configuration, "standard input has no password"));
    }
    Ok(password.to_owned())
}
