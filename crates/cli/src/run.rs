//! Commands: which there are, and what each does.

use std::{
    io::{self, IsTerminal as _, Write as _, stdin, stdout},
    path::PathBuf,
};

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use clap_complete::Shell;
use serde_json::Value;

use crate::{
    client,
    command::{BODY_TEMPLATE, MOST, WAIT, YES, with_operations},
    document::{Body, Operation, operations},
    failure::{Failure, Result},
    import,
    login::{self, Token},
    naming::command_of,
    output::{Format, Output},
    profile::{Profile, Profiles, default_folder},
    request::{self, Content, Request, fill},
    serial, wait,
};

/// Items on a page that is requested.
const PAGE: u64 = 1_000;

/// Commands that are not operations.
const OWN: [&str; 6] = ["api", "completions", "login", "logout", "man", "profile"];

/// Everything that commands are made from.
#[derive(Debug)]
pub struct Client {
    operations: Vec<Operation>,
}

impl Client {
    /// Reads the OpenAPI documents.
    ///
    /// # Errors
    ///
    /// A document is not JSON.
    pub fn new(documents: &[&str]) -> Result<Self> {
        let mut all = Vec::new();
        for document in documents {
            let read = operations(document);
            all.extend(
                read.map_err(|error| Failure::Usage(format!("an OpenAPI document is damaged: {error}")))?,
            );
        }
        Ok(Self { operations: all })
    }

    /// The commands by the ids of their operations, as a JSON object.
    ///
    /// # Panics
    ///
    /// Never: texts can be written as JSON.
    pub fn commands(&self) -> String {
        let all: std::collections::BTreeMap<_, _> = self
            .operations
            .iter()
            .map(|operation| (operation.id.as_str(), command_of(&operation.id).join(" ")))
            .collect();
        format!("{}\n", serde_json::to_string_pretty(&all).expect("texts"))
    }

    /// Adds the client's commands and options to a program's own.
    pub fn add_to(&self, program: Command) -> Command {
        let program = with_operations(program, &self.operations);
        let program = program.mut_subcommand("disk", |disk| disk.subcommand(import::command()));
        own_commands(program).args(options())
    }

    /// Runs a command of the client, which [`Self::add_to`] has added to `program`.
    ///
    /// # Errors
    ///
    /// The command line is wrong, the server refuses, or cannot be reached.
    pub fn run(&self, program: &mut Command, matches: &ArgMatches) -> Result<()> {
        let (words, leaf) = path_of(matches);
        let session = Session::new(matches)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["login"] => session.login(leaf),
            ["logout"] => session.logout(),
            ["profile", action] => session.profile(action, leaf),
            ["completions"] => {
                let shell = leaf.get_one::<Shell>("shell").copied().unwrap_or(Shell::Bash);
                clap_complete::generate(shell, program, "croft", &mut stdout());
                Ok(())
            }
            ["man"] => {
                let folder = leaf.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
                std::fs::create_dir_all(&folder)
                    .and_then(|()| clap_mangen::generate_to(program.clone(), &folder))
                    .map_err(Failure::io(format!("cannot write into {}", folder.display())))
            }
            ["api"] => session.api(leaf),
            ["disk", "import"] => {
                let client = session.client()?;
                let view = import::run(&client, leaf, session.project(), &session.folder)?;
                session.output.one(&view, &mut stdout())
            }
            words => {
                let operation = self.operations.iter().find(|operation| command_of(&operation.id) == words);
                let operation = operation
                    .ok_or_else(|| Failure::Usage(format!("there is no command `{}`", words.join(" "))))?;
                session.operate(operation, leaf)
            }
        }
    }

    /// Whether a word is the beginning of a command of the client.
    pub fn has(&self, word: &str) -> bool {
        OWN.contains(&word)
            || self
                .operations
                .iter()
                .any(|operation| command_of(&operation.id).first().is_some_and(|first| first == word))
    }
}

/// The words of the command that was given, and the options of the last one.
fn path_of(matches: &ArgMatches) -> (Vec<String>, &ArgMatches) {
    let (mut words, mut leaf) = (Vec::new(), matches);
    while let Some((word, inner)) = leaf.subcommand() {
        words.push(word.to_owned());
        leaf = inner;
    }
    (words, leaf)
}

/// Options that every command of the client takes.
fn options() -> Vec<Arg> {
    let global = |name: &'static str, value: &'static str, variable: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name(value)
            .env(variable)
            .global(true)
            .hide_env_values(true)
            .help(help)
            .help_heading("Server and output")
    };
    vec![
        global("profile", "NAME", "CROFT_PROFILE", "The profile to use instead of the current one"),
        global("server", "URL", "CROFT_HOST", "The server to call instead of the profile's"),
        global(
            "token",
            "TOKEN",
            "CROFT_TOKEN",
            "The token to use instead of the profile's; better given in the environment",
        ),
        global("ca-file", "FILE", "CROFT_CA_FILE", "Certificates in PEM to trust beside the system's")
            .value_hint(ValueHint::FilePath),
        global("default-project", "NAME", "CROFT_PROJECT", "The project of commands that name none"),
        global("output", "FORMAT", "CROFT_OUTPUT", "The form of what is printed")
            .short('o')
            .value_parser(value_parser!(Format))
            .default_value("table"),
        global(
            "columns",
            "NAMES",
            "CROFT_COLUMNS",
            "Columns of tables and CSV, with commas between them, such as name,state.state",
        )
        .value_delimiter(','),
        global(
            "config-folder",
            "FOLDER",
            "CROFT_CONFIG_FOLDER",
            "Where profiles are kept [default: ~/.config/croft]",
        )
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath),
        Arg::new("xdg-config-home").long("xdg-config-home").env("XDG_CONFIG_HOME").global(true).hide(true),
    ]
}

fn own_commands(program: Command) -> Command {
    let name = || Arg::new("name").value_name("NAME").required(true);
    program
        .subcommand(
            Command::new("login")
                .about("Sign in to a server: confirm a code in its console, or give a token")
                .long_about(
                    "Sign in to a server.\n\nPrints a code and an address. Open the address in a browser, sign in, and enter the \
                     code. The token is kept in the profile, in a file that only you can read. For programs, create a token in \
                     the console and give it with --token-stdin or in CROFT_TOKEN.",
                )
                .arg(Arg::new("url").value_name("URL").help("The server's address; that of the profile if absent"))
                .arg(
                    Arg::new("token-stdin")
                        .long("token-stdin")
                        .action(clap::ArgAction::SetTrue)
                        .help("Read a token from standard input instead of asking for a confirmation"),
                ),
        )
        .subcommand(Command::new("logout").about("Delete the profile's token, on the server and here"))
        .subcommand(
            Command::new("profile")
                .about("Servers that you have signed in to")
                .subcommand_required(true)
                .arg_required_else_help(true)
                .subcommand(Command::new("list").about("List the profiles"))
                .subcommand(Command::new("use").about("Make a profile the current one").arg(name()))
                .subcommand(Command::new("remove").about("Remove a profile; its token stays valid").arg(name()))
                .subcommand(
                    Command::new("set")
                        .about("Change a setting of the profile: the project of commands that name none, or the file of trusted certificates")
                        .arg(Arg::new("setting").value_parser(["project", "ca-file"]).required(true))
                        .arg(Arg::new("value").value_name("VALUE").help("The value; none to unset it")),
                ),
        )
        .subcommand(
            Command::new("api")
                .about("Call a path of the API, such as /v1/projects")
                .arg(Arg::new("path").value_name("PATH").required(true).help("Path and query"))
                .arg(Arg::new("method").long("method").short('X').value_name("METHOD").default_value("GET").help("The method"))
                .arg(
                    Arg::new("input")
                        .long("input")
                        .value_name("FILE")
                        .help("The body, from a file or - for standard input")
                        .value_hint(ValueHint::FilePath),
                ),
        )
        .subcommand(
            Command::new("completions")
                .about("Print completions for a shell")
                .long_about("Print completions for a shell.\n\nFor bash: croft completions bash > ~/.local/share/bash-completion/completions/croft")
                .arg(Arg::new("shell").value_parser(value_parser!(Shell)).required(true)),
        )
        .subcommand(
            Command::new("man")
                .about("Write a manual page for each command into a folder")
                .arg(Arg::new("folder").value_name("FOLDER").value_parser(value_parser!(PathBuf)).required(true)),
        )
}

/// The options of every command, and the profile.
struct Session {
    folder: PathBuf,
    profiles: Profiles,
    name: Option<String>,
    server: Option<String>,
    token: Option<String>,
    ca_file: Option<String>,
    project: Option<String>,
    output: Output,
}

impl Session {
    fn new(matches: &ArgMatches) -> Result<Self> {
        let (_, leaf) = path_of(matches);
        let text = |name: &str| leaf.get_one::<String>(name).filter(|text| !text.is_empty()).cloned();
        let folder = leaf.get_one::<PathBuf>("config-folder").cloned();
        let folder = folder.or_else(|| default_folder(text("xdg-config-home").as_deref()));
        let folder = folder.ok_or_else(|| {
            Failure::Usage(
                "there is no home folder to keep profiles in; name one with --config-folder".to_owned(),
            )
        })?;
        let columns = leaf.get_many::<String>("columns").into_iter().flatten().cloned().collect();
        let format = leaf.get_one("output").copied().unwrap_or(Format::Table);
        let width = stdout().is_terminal().then(|| rustix::termios::tcgetwinsize(stdout()).ok()).flatten();
        let width = width.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0);
        Ok(Self {
            profiles: Profiles::load(&folder)?,
            folder,
            name: text("profile"),
            server: text("server"),
            token: text("token"),
            ca_file: text("ca-file"),
            project: text("default-project"),
            output: Output { format, columns, width },
        })
    }

    fn current(&self) -> Result<Option<&Profile>> {
        Ok(self.profiles.find(self.name.as_deref())?.map(|(_, profile)| profile))
    }

    fn project(&self) -> Option<&str> {
        let of_profile = || self.current().ok().flatten().and_then(|profile| profile.project.as_deref());
        self.project.as_deref().or_else(of_profile)
    }

    fn ca_file(&self) -> Option<&str> {
        let of_profile = || self.current().ok().flatten().and_then(|profile| profile.ca_file.as_deref());
        self.ca_file.as_deref().or_else(of_profile)
    }

    /// A client of the server that is named, or of the profile's. The token of a profile is only for its server.
    fn client(&self) -> Result<client::Client> {
        let profile = self.current()?;
        let server = self.server.as_deref().or(profile.map(|profile| profile.server.as_str()));
        let Some(server) = server else {
            return Err(Failure::SignedOut(
                "no server: sign in with `croft login https://cloud.example.com`, or set CROFT_HOST and CROFT_TOKEN"
                    .to_owned(),
            ));
        };
        let of_profile = profile.filter(|profile| same_server(&profile.server, server));
        let token = self.token.clone().or_else(|| of_profile.and_then(|profile| profile.token.clone()));
        client::Client::new(server, token, self.ca_file())
    }

    fn login(mut self, matches: &ArgMatches) -> Result<()> {
        let given = matches.get_one::<String>("url").cloned().or_else(|| self.server.clone());
        let server = match given {
            Some(server) => server.trim_end_matches('/').to_owned(),
            None => self.current()?.map(|profile| profile.server.clone()).ok_or_else(|| {
                Failure::Usage("which server? `croft login https://cloud.example.com`".to_owned())
            })?,
        };
        let anonymous = client::Client::new(&server, None, self.ca_file())?;
        let token = if matches.get_flag("token-stdin") {
            let mut line = String::new();
            stdin().read_line(&mut line).map_err(Failure::io("cannot read standard input"))?;
            Token { secret: line.trim().to_owned(), id: None }
        } else {
            login::device_flow(&anonymous, |code, address| {
                eprintln!("Open {address}\nand enter the code {code}\n\nWaiting for the confirmation.");
            })?
        };
        let client = client::Client::new(&server, Some(token.secret.clone()), self.ca_file())?;
        let me = client.json(&Request::new("GET", "/v1/me"))?;
        let name = self.name.clone().unwrap_or_else(|| host_of(&server).to_owned());
        let before = self.profiles.all.get(&name).filter(|profile| same_server(&profile.server, &server));
        let project = before.and_then(|profile| profile.project.clone());
        let ca_file = self.ca_file().map(absolute);
        let (secret, token_id) = (Some(token.secret), token.id);
        let profile = Profile { server: server.clone(), token: secret, token_id, project, ca_file };
        self.profiles.all.insert(name.clone(), profile);
        self.profiles.current = Some(name.clone());
        self.profiles.save(&self.folder)?;
        let text = |field: &str| me[field].as_str().unwrap_or_default().to_owned();
        eprintln!(
            "Signed in to {server} as {} of silo {}; profile {name}.",
            text("display_name"),
            text("silo_name")
        );
        Ok(())
    }

    fn logout(mut self) -> Result<()> {
        let Some((name, profile)) = self.profiles.find(self.name.as_deref())? else {
            return Err(Failure::SignedOut("there is no profile to sign out of".to_owned()));
        };
        let (name, profile) = (name.to_owned(), profile.clone());
        let known = profile.token.as_ref().zip(profile.token_id.as_ref());
        if let Some((token, id)) = known {
            let client = client::Client::new(&profile.server, Some(token.clone()), self.ca_file())?;
            match client.json(&Request::new("DELETE", fill("/v1/me/access-tokens/{id}", "id", id))) {
                Ok(_) | Err(Failure::Refused { status: 401 | 404, .. }) => {}
                Err(failure) => return Err(failure),
            }
        }
        if let Some(profile) = self.profiles.all.get_mut(&name) {
            (profile.token, profile.token_id) = (None, None);
        }
        self.profiles.save(&self.folder)?;
        let kept = if known.is_none() && profile.token.is_some() {
            " The token that you gave stays valid."
        } else {
            ""
        };
        eprintln!("Signed out of {}.{kept}", profile.server);
        Ok(())
    }

    fn profile(mut self, action: &str, matches: &ArgMatches) -> Result<()> {
        let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
        let found = match action {
            "list" => {
                let current = self.profiles.current.clone();
                let row = |(name, profile): (&String, &Profile)| {
                    serde_json::json!({
                        "name": name, "current": current.as_ref() == Some(name), "server": profile.server,
                        "signed_in": profile.token.is_some(), "project": profile.project, "ca_file": profile.ca_file,
                    })
                };
                let rows: Vec<Value> = self.profiles.all.iter().map(row).collect();
                return self.output.list(&rows, &mut stdout());
            }
            "set" => self.name.clone().or_else(|| self.profiles.current.clone()),
            _ => text("name"),
        };
        let name =
            found.ok_or_else(|| Failure::SignedOut("there is no profile; sign in first".to_owned()))?;
        self.profiles.find(Some(&name))?;
        match action {
            "use" => self.profiles.current = Some(name),
            "remove" => {
                self.profiles.all.shift_remove(&name);
                self.profiles.current.take_if(|current| *current == name);
            }
            _ => {
                let value = text("value");
                if let Some(profile) = self.profiles.all.get_mut(&name) {
                    match text("setting").as_deref() {
                        Some("ca-file") => profile.ca_file = value.as_deref().map(absolute),
                        _ => profile.project = value,
                    }
                }
            }
        }
        self.profiles.save(&self.folder)
    }

    fn api(&self, matches: &ArgMatches) -> Result<()> {
        let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
        let path = text("path");
        if !path.starts_with('/') {
            return Err(Failure::Usage("the path begins with a slash, such as /v1/projects".to_owned()));
        }
        let mut request = Request::new(&text("method").to_uppercase(), path);
        if let Some(file) = matches.get_one::<String>("input") {
            let read = if file == "-" { io::read_to_string(stdin()) } else { std::fs::read_to_string(file) };
            let read = read.map_err(Failure::io(format!("cannot read {file}")))?;
            let json = serde_json::from_str(&read)
                .map_err(|error| Failure::Usage(format!("{file} is not JSON: {error}")))?;
            request.content = Content::Json(json);
        }
        let answer = self.client()?.json(&request)?;
        Output { format: Format::Json, columns: Vec::new(), width: None }.one(&answer, &mut stdout())
    }

    fn operate(&self, operation: &Operation, matches: &ArgMatches) -> Result<()> {
        if let Body::Json { template, .. } = &operation.body
            && matches.get_flag(BODY_TEMPLATE)
        {
            return Output { format: Format::Json, columns: Vec::new(), width: None }
                .one(template, &mut stdout());
        }
        if matches!(operation.body, Body::Form) {
            return Err(Failure::Usage("this is part of signing in; use `croft login`".to_owned()));
        }
        let request = request::of(operation, matches, self.project())?;
        let client = self.client()?;
        match operation.id.as_str() {
            "instance_serial_console_stream" => return serial::attach(&client, &request, self.ca_file()),
            "instance_graphical_console_stream" => {
                let hint = "a screen needs a window: open the instance in the console, or save a picture of it with \
                            `croft instance graphical picture`";
                return Err(Failure::Usage(hint.to_owned()));
            }
            _ => {}
        }
        if operation.method == "DELETE" && !matches.get_flag(YES) {
            confirm(operation, &request)?;
        }
        if operation.is_list {
            let most = matches.get_one::<u64>(MOST).copied().unwrap_or(u64::MAX);
            return self.list(&client, request, most);
        }
        let waited = wait::resource_of(operation)
            .filter(|_| matches.try_get_one::<bool>(WAIT).ok().flatten() == Some(&true));
        let deletes = operation.method == "DELETE";
        let id = match waited {
            Some(_) if deletes => wait::id_before(&client, &request)?,
            _ => None,
        };
        if operation.is_stream || answers_bytes(operation) {
            return copy(client.send(&request)?);
        }
        let answer = client.json(&request)?;
        let Some(waited) = waited else { return self.output.one(&answer, &mut stdout()) };
        let id = id.or_else(|| answer["id"].as_str().map(str::to_owned)).unwrap_or_default();
        let view = wait::until_at_rest(&client, waited, &id, deletes)?;
        self.output.one(&view, &mut stdout())
    }

    /// Reads pages until there are no more, or `most` items are there.
    fn list(&self, client: &client::Client, mut request: Request, most: u64) -> Result<()> {
        let mut items = Vec::new();
        let mut token: Option<String> = None;
        loop {
            let missing = most.saturating_sub(items.len() as u64);
            let mut page = Request::new(&request.method, request.path.clone());
            page.query.push(("limit".to_owned(), missing.min(PAGE).to_string()));
            match token.take() {
                // It stands for everything else.
                Some(token) => page.query.push(("page_token".to_owned(), token)),
                None => page.query.append(&mut request.query),
            }
            let mut answer = client.json(&page)?;
            if let Value::Array(found) = answer["items"].take() {
                items.extend(found);
            }
            token = answer["next_page"].as_str().map(str::to_owned);
            if token.is_none() || items.len() as u64 >= most {
                break;
            }
        }
        items.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        self.output.list(&items, &mut stdout())
    }
}

fn same_server(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

/// The host and port of a server's address.
fn host_of(server: &str) -> &str {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

fn absolute(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

/// Whether the response is a file.
fn answers_bytes(operation: &Operation) -> bool {
    operation.id.contains("_download")
        || matches!(operation.id.as_str(), "support_bundle_index" | "instance_graphical_console_picture")
}

fn copy(response: ureq::http::Response<ureq::Body>) -> Result<()> {
    let mut out = stdout();
    if out.is_terminal()
        && response
            .headers()
            .get("content-type")
            .is_some_and(|kind| [&b"zip"[..], b"png"].iter().any(|end| kind.as_bytes().ends_with(end)))
    {
        return Err(Failure::Usage("the output is a file: redirect it with `>` and a name".to_owned()));
    }
    io::copy(&mut response.into_body().into_reader(), &mut out)
        .and_then(|_| out.flush())
        .map_err(Failure::io("the response ended early"))
}

/// Asks whether to delete, if there is somebody to ask.
fn confirm(operation: &Operation, request: &Request) -> Result<()> {
    if !stdin().is_terminal() {
        return Err(Failure::Usage("add --yes: there is no terminal to ask for a confirmation".to_owned()));
    }
    let object = request.path.rsplit('/').next().unwrap_or_default();
    eprint!("{}: {object}? This cannot be undone. [y/N] ", operation.summary);
    let mut line = String::new();
    stdin().read_line(&mut line).map_err(Failure::io("cannot read the confirmation"))?;
    if matches!(line.trim(), "y" | "Y" | "yes") {
        Ok(())
    } else {
        Err(Failure::Ended("nothing was deleted".to_owned()))
    }
}

#[cfg(test)]
mod tests;
