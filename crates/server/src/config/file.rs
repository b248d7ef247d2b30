//! A configuration file for people to begin with, made from the options themselves.

use std::{fmt::Write as _, path::Path};

use clap::{Arg, Args as _, Command};

use super::Options;

/// The longest line of the descriptions.
const WIDTH: usize = 100;

const HEAD: &str = "Configuration of `croft serve --config <this file>`. Each option stands here with its description and, as \
                    a comment, its default: remove the # before an option to set it. The environment (CROFT_DATA_DIR \
                    and so on) and the command line override this file. `croft doctor --config <this file>` checks \
                    it, and a server reads it at its start.";

/// Every option with its description and its default, as comments; the folder for all data is set, if one is given.
pub fn text(data_dir: Option<&Path>) -> String {
    let mut text = String::new();
    comment(&mut text, HEAD);
    for option in Options::augment_args(Command::new("serve")).get_arguments() {
        let Some(name) = option.get_long().filter(|name| *name != "config") else { continue };
        text.push('\n');
        comment(&mut text, &description(option));
        let _ = match data_dir.filter(|_| name == "data-dir") {
            Some(folder) => writeln!(text, "{name} = {}", quoted(&folder.display().to_string())),
            None => writeln!(text, "#{name} = {}", value(option)),
        };
    }
    text
}

/// The help of an option, with what its values mean.
fn description(option: &Arg) -> String {
    let help = option.get_long_help().or_else(|| option.get_help());
    let mut text = help.map(ToString::to_string).unwrap_or_default();
    for value in option.get_possible_values() {
        // Words such as true explain themselves.
        if let Some(help) = value.get_help() {
            let _ = write!(text, "\n- {}: {help}", value.get_name());
        }
    }
    text
}

/// The default as TOML, or else a name for what belongs there.
fn value(option: &Arg) -> String {
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let default = help.split_once("[default: ").and_then(|(_, rest)| rest.split(']').next());
    let is_list = option.get_value_delimiter().is_some();
    let default = default.map(|default| default.split(", ").next().unwrap_or(default));
    match default {
        Some("none") if is_list => "[]".to_owned(),
        Some(plain) if plain.parse::<f64>().is_ok() || plain.parse::<bool>().is_ok() => plain.to_owned(),
        Some(word) if !word.contains(' ') && word != "none" && is_list => format!("[{}]", quoted(word)),
        Some(word) if !word.contains(' ') && word != "none" => quoted(word),
        _ => {
            let name = option.get_value_names().and_then(<[_]>::first).map_or("VALUE", |name| name.as_str());
            let is_number = matches!(name, "COUNT" | "DAYS" | "MINUTES");
            let place = if is_number { format!("<{name}>") } else { quoted(&format!("<{name}>")) };
            if is_list { format!("[{place}]") } else { place }
        }
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Adds a comment, with its lines wrapped between words.
fn comment(text: &mut String, comment: &str) {
    for line in comment.lines() {
        let mut length = 1;
        text.push('#');
        for word in line.split_whitespace() {
            if length > 1 && length + 1 + word.len() > WIDTH {
                text.push_str("\n#");
                length = 1;
            }
            text.push(' ');
            text.push_str(word);
            length += 1 + word.len();
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_defaults_in_the_file_are_those_of_the_program() {
        let text = text(None);
        // Comments have a space behind the sign, options do not.
        let is_option = |line: &&str| line.starts_with('#') && !line.starts_with("# ") && line.len() > 1;
        let options: Vec<&str> = text.lines().filter(is_option).collect();
        assert!(options.len() > 40, "{text}");
        let set: Vec<&str> =
            options.iter().filter(|line| !line.contains('<')).map(|line| &line[1..]).collect();
        assert!(set.len() > 35, "{set:?}");
        let parsed: Options = toml::from_str(&set.join("\n")).unwrap();
        assert_eq!(parsed.resolve().unwrap(), Options::default().resolve().unwrap());
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }

    #[test]
    fn the_file_of_the_package_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/croft.toml");
        let kept = fs::read_to_string(path).unwrap_or_default();
        let made = text(Some(Path::new("/var/lib/croft")));
        assert!(
            kept == made,
            "packaging/croft.toml is stale: croft config --data-dir /var/lib/croft >packaging/croft.toml"
        );
        let options: Options = toml::from_str(&kept).unwrap();
        assert_eq!(options.resolve().unwrap().data_dir, Path::new("/var/lib/croft"));
    }
}
