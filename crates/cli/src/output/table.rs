//! Tables for people.

use std::io::{self, Write};

use indexmap::IndexMap;
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr as _;

use super::flatten;
use crate::size;

/// Space between two columns.
const GAP: usize = 2;
/// Longest value of a column that is not asked for, in characters.
const LONGEST: usize = 48;
/// Columns that come first, in this order.
const FIRST: [&str; 8] = ["name", "id", "run_state", "state.state", "state", "ip", "size", "memory"];
/// Columns that come last, in this order.
const LAST: [&str; 2] = ["description", "time_created"];
/// Values in bytes.
const SIZES: [&str; 6] = ["size", "memory", "storage", "block_size", "used", "total_bytes"];

/// Prints rows under the names of their columns: those that are named, or as many as fit.
pub fn list(items: &[Value], columns: &[String], width: Option<usize>, to: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<_> = items.iter().map(flatten).collect();
    let shown = if columns.is_empty() { chosen(&rows, width) } else { columns.to_vec() };
    let limit = if columns.is_empty() { LONGEST } else { usize::MAX };
    let cell = |row: &IndexMap<String, String>, name: &String| {
        row.get(name).map_or_else(String::new, |value| shorten(&shown_as(name, value), limit))
    };
    let header: Vec<String> = shown.iter().map(|name| name.to_uppercase()).collect();
    let table: Vec<Vec<String>> =
        rows.iter().map(|row| shown.iter().map(|name| cell(row, name)).collect()).collect();
    let widths: Vec<usize> = (0..shown.len())
        .map(|column| table.iter().chain([&header]).map(|row| row[column].width()).max().unwrap_or(0))
        .collect();
    for row in [&header].into_iter().chain(&table) {
        let line: String = row.iter().zip(&widths).map(|(cell, width)| padded(cell, width + GAP)).collect();
        writeln!(to, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Prints the values of one object below each other.
pub fn object(object: &Map<String, Value>, columns: &[String], to: &mut dyn Write) -> io::Result<()> {
    let flat = flatten(&Value::Object(object.clone()));
    let shown: Vec<(&String, &String)> =
        flat.iter().filter(|(name, _)| columns.is_empty() || columns.contains(name)).collect();
    let width = shown.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    for (name, value) in shown {
        let mut lines = value.lines();
        let first = safe(&shown_as(name, lines.next().unwrap_or_default()));
        writeln!(to, "{}", format!("{}{first}", padded(name, width + GAP)).trim_end())?;
        for line in lines {
            writeln!(to, "{}{}", " ".repeat(width + GAP), safe(line))?;
        }
    }
    Ok(())
}

/// The columns of a table that nobody has chosen: those with a value in a row, as many as fit.
fn chosen(rows: &[IndexMap<String, String>], width: Option<usize>) -> Vec<String> {
    let mut names: Vec<&String> = Vec::new();
    for row in rows {
        for (name, value) in row {
            if !value.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let has_names = names.iter().any(|name| *name == "name");
    let place = |name: &str| {
        let first = FIRST.iter().position(|other| *other == name);
        let last = LAST.iter().position(|other| *other == name);
        match (first, last) {
            (Some(place), _) => (0, place),
            (None, None) => (1, 0),
            (None, Some(place)) => (2, place),
        }
    };
    // Ids beside a name, and those of other resources, are for programs.
    names.retain(|name| !(name.ends_with("_id") || has_names && *name == "id" || *name == "time_modified"));
    names.sort_by_key(|name| place(name));
    let Some(width) = width else { return names.into_iter().cloned().collect() };
    let mut left = width;
    let mut fitting = Vec::new();
    for name in names {
        let widest = rows
            .iter()
            .filter_map(|row| row.get(name))
            .map(|value| shown_as(name, value).width().min(LONGEST));
        let needed = widest.max().unwrap_or(0).max(name.width()) + GAP;
        if needed <= left + GAP || fitting.is_empty() {
            left = left.saturating_sub(needed);
            fitting.push(name.clone());
        }
    }
    fitting
}

fn shown_as(name: &str, value: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    match value.parse() {
        Ok(bytes) if SIZES.contains(&last) => size::show(bytes),
        _ => value.to_owned(),
    }
}

/// A cell: one line, and not longer than `limit`.
fn shorten(value: &str, limit: usize) -> String {
    let line = safe(value);
    if line.width() <= limit {
        return line;
    }
    let mut short = String::new();
    for letter in line.chars() {
        short.push(letter);
        if short.width() >= limit {
            short.pop();
            break;
        }
    }
    short.push('…');
    short
}

/// Text that does nothing to a terminal but appear on it: names and descriptions are written by others.
fn safe(text: &str) -> String {
    let is_harmful = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .flat_map(|letter| {
            let escaped: Vec<char> =
                if is_harmful(letter) { letter.escape_default().collect() } else { vec![letter] };
            escaped
        })
        .collect()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::plain, *};

    fn table(items: &[Value], columns: &[&str], width: usize) -> String {
        let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
        let mut text = Vec::new();
        list(items, &columns, Some(width), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn columns_are_aligned_and_end_at_the_width() {
        let items = [
            json!({ "description": "d".repeat(60), "id": "1", "name": "db", "size": 4_294_967_296_u64, "state": { "state": "detached" } }),
            json!({ "description": "", "id": "2", "name": "données", "size": 512, "state": { "state": "attached" } }),
        ];
        assert_eq!(
            table(&items, &[], 40),
            "NAME     STATE.STATE  SIZE\ndb       detached     4 GiB\ndonnées  attached     512 B\n"
        );
        assert_eq!(table(&items, &["id", "name"], 40), "ID  NAME\n1   db\n2   données\n");
    }

    #[test]
    fn control_characters_are_escaped() {
        let items = [json!({ "name": "a\u{1b}[31m\u{202e}b\nc" })];
        assert_eq!(table(&items, &[], 80), "NAME\na\\u{1b}[31m\\u{202e}b\\nc\n");
    }

    #[test]
    fn an_object_is_printed_line_by_line() {
        let value = json!({ "name": "db", "state": { "state": "failed" }, "notes": "one\ntwo" });
        let mut text = Vec::new();
        object(value.as_object().unwrap(), &[], &mut text).unwrap();
        let expected = "name         db\nnotes        one\n             two\nstate.state  failed\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        assert_eq!(plain(&json!(["a", "b"])), "a b");
    }
}
