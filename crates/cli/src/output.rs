//! What commands print: tables for people, JSON and CSV for programs.

mod table;

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::failure::{Failure, Result};

/// The form of what is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Columns for people; values are shortened, and their number may change
    Table,
    /// What the server answered, lists as one array
    Json,
    /// One line per object with a header, nested values as `a.b`
    Csv,
}

/// How to print.
#[derive(Debug)]
pub struct Output {
    /// The form.
    pub format: Format,
    /// The columns, as names with dots; those that fit if there are none.
    pub columns: Vec<String>,
    /// The terminal's width in characters, if there is a terminal.
    pub width: Option<usize>,
}

impl Output {
    /// Prints the items of a list.
    ///
    /// # Errors
    ///
    /// The output cannot be written to.
    pub fn list(&self, items: &[Value], to: &mut dyn Write) -> Result<()> {
        let written = match self.format {
            Format::Json => json(&Value::Array(items.to_vec()), to),
            Format::Csv => self.csv(items, to),
            Format::Table if items.is_empty() => writeln!(to, "Nothing found."),
            Format::Table => table::list(items, &self.columns, self.width, to),
        };
        unless_closed(written)
    }

    /// Prints one object, or what else the server answered.
    ///
    /// # Errors
    ///
    /// The output cannot be written to.
    pub fn one(&self, value: &Value, to: &mut dyn Write) -> Result<()> {
        if value.is_null() {
            return Ok(());
        }
        let written = match (self.format, value) {
            (Format::Csv, Value::Array(items)) => self.csv(items, to),
            (Format::Csv, value) => self.csv(std::slice::from_ref(value), to),
            (Format::Table, Value::Array(items)) => return self.list(items, to),
            (Format::Table, Value::Object(object)) => table::object(object, &self.columns, to),
            (Format::Json | Format::Table, value) => json(value, to),
        };
        unless_closed(written)
    }

    fn csv(&self, items: &[Value], to: &mut dyn Write) -> io::Result<()> {
        let flat: Vec<_> = items.iter().map(flatten).collect();
        let mut columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        if columns.is_empty() {
            for item in &flat {
                for name in item.keys() {
                    if !columns.contains(&name.as_str()) {
                        columns.push(name);
                    }
                }
            }
        }
        let mut writer = csv::Writer::from_writer(to);
        writer.write_record(&columns)?;
        for item in &flat {
            writer.write_record(columns.iter().map(|name| item.get(*name).map_or("", String::as_str)))?;
        }
        writer.flush()
    }
}

fn json(value: &Value, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, value)?;
    writeln!(to)
}

/// Whoever reads the output may have seen enough, such as `head`.
fn unless_closed(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::io("cannot write the output")),
    }
}

/// The values of an object by their names; those of objects inside have both names with a dot between them.
fn flatten(value: &Value) -> indexmap::IndexMap<String, String> {
    let mut found = indexmap::IndexMap::new();
    match value {
        Value::Object(object) => add(object, "", &mut found),
        other => {
            found.insert("value".to_owned(), plain(other));
        }
    }
    found
}

fn add(object: &Map<String, Value>, before: &str, found: &mut indexmap::IndexMap<String, String>) {
    for (name, value) in object {
        let name = if before.is_empty() { name.clone() } else { format!("{before}.{name}") };
        match value {
            Value::Object(inner) if !inner.is_empty() => add(inner, &name, found),
            value => {
                found.insert(name, plain(value));
            }
        }
    }
}

/// A value as text without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(plain).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn printed(format: Format, columns: &[&str], items: &[Value]) -> String {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        let mut text = Vec::new();
        Output { format, columns, width: Some(80) }.list(items, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn csv_quotes_and_flattens() {
        let items = [json!({ "name": "a,b", "state": { "state": "attached" } }), json!({ "name": "c" })];
        assert_eq!(printed(Format::Csv, &[], &items), "name,state.state\n\"a,b\",attached\nc,\n");
        assert_eq!(printed(Format::Csv, &["state.state"], &items), "state.state\nattached\n\"\"\n");
    }

    #[test]
    fn json_is_one_array() {
        assert_eq!(printed(Format::Json, &[], &[json!(1)]), "[\n  1\n]\n");
    }

    #[test]
    fn a_table_says_that_there_is_nothing() {
        assert_eq!(printed(Format::Table, &[], &[]), "Nothing found.\n");
    }
}
