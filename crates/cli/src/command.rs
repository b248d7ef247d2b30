//! The command of each operation, as clap knows it.

use clap::{Arg, ArgAction, Command, value_parser};

use crate::{
    document::{Body, Kind, Operation},
    naming::command_of,
    size,
};

/// Argument: the body as a file.
pub const BODY_FILE: &str = "json-body";
/// Argument: print what a body looks like.
pub const BODY_TEMPLATE: &str = "json-body-template";
/// Argument: a file of bytes that are sent or received.
pub const FILE: &str = "file";
/// Argument: most items of a list.
pub const MOST: &str = "limit";
/// Argument: wait until the resource is at rest.
pub const WAIT: &str = "wait";
/// Argument: do not ask before deleting.
pub const YES: &str = "yes";
/// The positional form of the parameter that names the object.
pub const OBJECT: &str = "the object";

/// Commands that the line about a group names.
const SHOWN: usize = 8;

/// Parameters of pages, which the client follows by itself.
const OF_PAGES: [&str; 2] = ["limit", "page_token"];

/// Adds the commands of operations to a command.
pub fn with_operations(root: Command, operations: &[Operation]) -> Command {
    let mut tree = Group::default();
    for operation in operations {
        tree.insert(&command_of(&operation.id), operation);
    }
    tree.children.into_iter().fold(root, |root, (word, group)| root.subcommand(group.build(word)))
}

/// A word of commands and what can follow it, in alphabetical order.
#[derive(Default)]
struct Group<'a> {
    operation: Option<&'a Operation>,
    children: std::collections::BTreeMap<String, Self>,
}

impl<'a> Group<'a> {
    fn insert(&mut self, words: &[String], operation: &'a Operation) {
        match words {
            [] => self.operation = Some(operation),
            [first, rest @ ..] => {
                self.children.entry(first.clone()).or_default().insert(rest, operation);
            }
        }
    }

    fn build(self, word: String) -> Command {
        if let Some(operation) = self.operation {
            return leaf(word, operation);
        }
        let mut commands: Vec<&str> = self.children.keys().map(String::as_str).collect();
        if commands.len() > SHOWN {
            commands.truncate(SHOWN - 1);
            commands.push("…");
        }
        let about = format!("Commands: {}", commands.join(", "));
        let group = Command::new(word).about(about).subcommand_required(true).arg_required_else_help(true);
        self.children.into_iter().fold(group, |group, (word, child)| group.subcommand(child.build(word)))
    }
}

fn leaf(word: String, operation: &Operation) -> Command {
    let long = format!(
        "{}\n\n{}\n\nCalls {} {} ({}).",
        operation.summary, operation.description, operation.method, operation.path, operation.id
    );
    let mut command = Command::new(word)
        .about(operation.summary.clone())
        .long_about(long.replace("\n\n\n\n", "\n\n"))
        .args(parameters(operation));
    if operation.is_list {
        command = command.arg(
            Arg::new(MOST)
                .long(MOST)
                .value_name("NUMBER")
                .value_parser(value_parser!(u64).range(1..))
                .help("Stop after this many items; without it, every page is read"),
        );
    }
    command = match &operation.body {
        Body::None | Body::Form => command,
        Body::Json { .. } => with_body(command, operation),
        Body::Bytes => command.arg(
            Arg::new(FILE)
                .long(FILE)
                .value_name("FILE")
                .required(true)
                .help("The file that is sent; - reads standard input"),
        ),
    };
    if crate::wait::resource_of(operation).is_some() {
        command = command.arg(
            Arg::new(WAIT)
                .long(WAIT)
                .action(ArgAction::SetTrue)
                .help("Return when the resource has reached the state that this leads to, or has failed"),
        );
    }
    if operation.method == "DELETE" {
        let yes = Arg::new(YES).long(YES).short('y').action(ArgAction::SetTrue);
        command = command.arg(yes.help("Do not ask for a confirmation"));
    }
    command
}

fn parameters(operation: &Operation) -> Vec<Arg> {
    let object = object_of(operation);
    let mut arguments = Vec::new();
    for parameter in &operation.parameters {
        if operation.is_list && OF_PAGES.contains(&parameter.name.as_str()) {
            continue;
        }
        let mut argument = argument(&parameter.name, &parameter.kind, &parameter.help);
        if Some(parameter.name.as_str()) == object {
            argument = argument.required_unless_present(OBJECT).conflicts_with(OBJECT);
            let positional = Arg::new(OBJECT).value_name(kebab(&parameter.name).to_uppercase());
            arguments.push(positional.help(first_line(&parameter.help)));
        } else if parameter.in_path {
            argument = argument.required(true);
        } else if parameter.required && parameter.name == "project" {
            // The profile may name one.
            argument = argument.env("CROFT_PROJECT");
        } else {
            argument = argument.required(parameter.required);
            if parameter.name == "project" {
                argument = argument.env("CROFT_PROJECT");
            }
        }
        arguments.push(argument);
    }
    arguments
}

/// The parameter that names the object of an operation: the last one of its path.
pub fn object_of(operation: &Operation) -> Option<&str> {
    let in_path = operation.parameters.iter().filter(|parameter| parameter.in_path);
    let place = |name: &str| operation.path.find(&format!("{{{name}}}"));
    in_path.map(|parameter| parameter.name.as_str()).max_by_key(|name| place(name))
}

fn with_body(command: Command, operation: &Operation) -> Command {
    let Body::Json { properties, .. } = &operation.body else { return command };
    let mut command =
        command
            .arg(Arg::new(BODY_FILE).long(BODY_FILE).value_name("FILE").help(
                "The request's body as JSON, from a file or - for standard input; options are put over it",
            ))
            .arg(
                Arg::new(BODY_TEMPLATE)
                    .long(BODY_TEMPLATE)
                    .action(ArgAction::SetTrue)
                    .exclusive(true)
                    .help("Print what a body looks like, and do nothing"),
            );
    for property in properties {
        // A parameter of the same name, such as the project, is in the path or query.
        let is_taken = operation.parameters.iter().any(|parameter| parameter.name == property.name);
        if !is_taken {
            let mut argument = argument(&property.name, &property.kind, &property.help);
            if property.required {
                let help = format!("{} (required, unless --json-body has it)", first_line(&property.help));
                argument = argument.help(help);
            }
            command = command.arg(argument);
        }
    }
    command
}

/// An option for a value of a kind.
fn argument(name: &str, kind: &Kind, help: &str) -> Arg {
    let argument =
        Arg::new(name.to_owned()).long(kebab(name)).help(first_line(help)).long_help(help.to_owned());
    match kind {
        Kind::Text => argument.value_name("TEXT"),
        Kind::Integer => {
            argument.value_name("NUMBER").value_parser(value_parser!(i64)).allow_negative_numbers(true)
        }
        Kind::Bytes => argument.value_name("SIZE").value_parser(size::parse),
        Kind::Boolean => argument.value_name("BOOLEAN").value_parser(["true", "false"]),
        Kind::Choice(words) => argument.value_name("CHOICE").value_parser(words.clone()),
        Kind::Many(kind) => {
            let one = self::argument(name, kind, help);
            one.action(ArgAction::Append)
        }
        Kind::Json => argument.value_name("JSON").help(format!("{} (as JSON, or @FILE)", first_line(help))),
    }
}

/// A name as options spell it.
pub fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

fn first_line(help: &str) -> String {
    let sentence = help.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    sentence.trim_end_matches('.').to_owned()
}
