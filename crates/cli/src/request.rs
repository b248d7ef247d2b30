//! The request of a command.

use std::{fs, io::Read as _};

use clap::ArgMatches;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    command::{BODY_FILE, FILE, OBJECT, kebab, object_of},
    document::{Body, Kind, Operation, Parameter},
    failure::{Failure, Result},
};

/// What RFC 3986 does not allow in a segment of a path.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A request that is ready to be sent.
#[derive(Debug)]
pub struct Request {
    /// In capitals.
    pub method: String,
    /// Begins with a slash.
    pub path: String,
    /// Names and values, not encoded.
    pub query: Vec<(String, String)>,
    /// What is sent.
    pub content: Content,
}

/// The body of a request.
#[derive(Debug)]
pub enum Content {
    /// There is none.
    None,
    /// A JSON document.
    Json(Value),
    /// The text of a JSON document, which is sent as it is: it may be signed.
    JsonText(String),
    /// The content of a file, or of standard input for `-`.
    File(String),
}

impl Request {
    /// A request without a body.
    pub fn new(method: &str, path: impl Into<String>) -> Self {
        Self { method: method.to_owned(), path: path.into(), query: Vec::new(), content: Content::None }
    }

    /// Path and query, encoded.
    pub fn target(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &self.query {
            query.append_pair(name, value);
        }
        let query = query.finish();
        if query.is_empty() { self.path.clone() } else { format!("{}?{query}", self.path) }
    }
}

/// Fills a path's parameters in.
pub fn fill(path: &str, name: &str, value: &str) -> String {
    path.replace(&format!("{{{name}}}"), &utf8_percent_encode(value, SEGMENT).to_string())
}

/// The request of an operation, from its options. `project` is the one to take if none is named.
///
/// # Errors
///
/// The options are not what the operation asks for, or a file cannot be read.
pub fn of(operation: &Operation, matches: &ArgMatches, project: Option<&str>) -> Result<Request> {
    let mut request = Request::new(&operation.method, operation.path.clone());
    let object = object_of(operation);
    let mut object_is_id = false;
    for parameter in operation.parameters.iter().filter(|parameter| parameter.in_path) {
        let positional = (object == Some(parameter.name.as_str()))
            .then(|| matches.try_get_one::<String>(OBJECT).ok().flatten().cloned())
            .flatten();
        let value = positional.or_else(|| text_of(matches, parameter)).unwrap_or_default();
        if value.is_empty() {
            return Err(Failure::Usage(format!("--{} must not be empty", kebab(&parameter.name))));
        }
        object_is_id |= object == Some(parameter.name.as_str()) && value.parse::<Uuid>().is_ok();
        request.path = fill(&request.path, &parameter.name, &value);
    }
    for parameter in operation.parameters.iter().filter(|parameter| !parameter.in_path) {
        let given = text_of(matches, parameter);
        let value = if parameter.name == "project" && given.is_none() && !object_is_id {
            let value = project.map(str::to_owned);
            if value.is_none() && parameter.required {
                return Err(Failure::no_project());
            }
            value
        } else {
            given
        };
        request.query.extend(value.map(|value| (parameter.name.clone(), value)));
    }
    request.content = content(operation, matches)?;
    Ok(request)
}

/// The value of a parameter as text.
fn text_of(matches: &ArgMatches, parameter: &Parameter) -> Option<String> {
    value_of(matches, &parameter.name, &parameter.kind).ok().flatten().map(|value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    })
}

fn content(operation: &Operation, matches: &ArgMatches) -> Result<Content> {
    let properties = match &operation.body {
        Body::None | Body::Form => return Ok(Content::None),
        Body::Bytes => {
            let file = matches.get_one::<String>(FILE).cloned().unwrap_or_default();
            return Ok(Content::File(file));
        }
        Body::Json { properties, .. } => properties,
    };
    let file = matches.get_one::<String>(BODY_FILE);
    let text = file.map(|file| read_json(file)).transpose()?;
    let mut body = text.as_ref().map_or_else(|| Value::Object(Map::new()), |(_, value)| value.clone());
    let mut has_options = false;
    for property in properties {
        if operation.parameters.iter().any(|parameter| parameter.name == property.name) {
            continue;
        }
        let Some(value) = value_of(matches, &property.name, &property.kind)? else { continue };
        let Value::Object(object) = &mut body else {
            return Err(Failure::Usage("the file of --json-body is not an object".to_owned()));
        };
        object.insert(property.name.clone(), value);
        has_options = true;
    }
    if let Some((text, _)) = text {
        return Ok(if has_options { Content::Json(body) } else { Content::JsonText(text) });
    }
    let missing: Vec<_> = properties
        .iter()
        .filter(|property| property.required && body.get(&property.name).is_none())
        .map(|property| format!("--{}", kebab(&property.name)))
        .collect();
    if missing.is_empty() {
        return Ok(Content::Json(body));
    }
    Err(Failure::Usage(format!(
        "missing: {}. --help describes them, and --json-body-template prints a body to fill in for --json-body",
        missing.join(", ")
    )))
}

/// The value of an option as JSON.
fn value_of(matches: &ArgMatches, name: &str, kind: &Kind) -> Result<Option<Value>> {
    let text = |name| matches.try_get_one::<String>(name).ok().flatten();
    Ok(match kind {
        Kind::Text | Kind::Choice(_) => text(name).cloned().map(Value::String),
        Kind::Boolean => text(name).map(|text| Value::Bool(text == "true")),
        Kind::Integer => matches.try_get_one::<i64>(name).ok().flatten().map(|number| Value::from(*number)),
        Kind::Bytes => matches.try_get_one::<u64>(name).ok().flatten().map(|number| Value::from(*number)),
        Kind::Many(kind) => many(matches, name, kind),
        Kind::Json => match text(name) {
            None => None,
            Some(text) => Some(match text.strip_prefix('@') {
                Some(file) => read_json(file)?.1,
                None => serde_json::from_str(text).map_err(|error| {
                    Failure::Usage(format!(
                        "--{} is not JSON: {error}. Texts are written in double quotes: '\"text\"'",
                        kebab(name)
                    ))
                })?,
            }),
        },
    })
}

fn many(matches: &ArgMatches, name: &str, kind: &Kind) -> Option<Value> {
    fn all<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> Option<Vec<T>> {
        Some(matches.try_get_many::<T>(name).ok()??.cloned().collect())
    }
    match kind {
        Kind::Integer => all::<i64>(matches, name).map(Value::from),
        Kind::Bytes => all::<u64>(matches, name).map(Value::from),
        _ => all::<String>(matches, name).map(Value::from),
    }
}

/// The text of a JSON file, and what it says.
fn read_json(file: &str) -> Result<(String, Value)> {
    let text = if file == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(Failure::io("cannot read standard input"))?;
        text
    } else {
        fs::read_to_string(file).map_err(Failure::io(format!("cannot read {file}")))?
    };
    let value = serde_json::from_str(&text);
    let value = value.map_err(|error| Failure::Usage(format!("{file} is not JSON: {error}")))?;
    Ok((text, value))
}
