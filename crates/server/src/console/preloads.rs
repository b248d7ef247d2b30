//! What a page begins with, named in its HTML.
//!
//! A browser would learn which files a screen needs, and what it asks of the API, only by running the code that comes before. Named in the
//! page, they are transferred meanwhile. The build of the console writes the list (`console/scripts/screens.mjs`).

use std::path::Path;

use croft_http::attribute;
use http::Uri;
use serde::Deserialize;

use super::Source;

/// The name of the list among the console's files.
const LIST: &str = "preloads.json";

/// How a call for the first page of a list ends (`pageSize` in `console/src/api/list.ts`).
const FIRST_PAGE: &str = "limit=50";

#[derive(Deserialize)]
struct Preloads {
    /// All files, relative to the root of the server.
    files: Vec<String>,
    screens: Vec<Screen>,
}

#[derive(Deserialize)]
struct Screen {
    /// A path; a segment that begins with `$` stands for any.
    path: String,
    /// The numbers of the files that the screen needs beside those that the HTML names.
    files: Vec<usize>,
    /// What its loaders ask of the API, with the parameters of the path.
    calls: Vec<String>,
}

/// The parameters of a path: names with `$`, and what stands in their places.
type Parameters<'a> = Vec<(&'a str, &'a str)>;

/// The elements that preload what the screen at an address needs; none if no screen is there, or if the console has no list.
pub fn links(source: &Source, address: &Uri) -> String {
    let Some(list) = source.read(LIST) else { return String::new() };
    match serde_json::from_slice::<Preloads>(&list) {
        Ok(preloads) => links_of(&preloads, address),
        Err(error) => {
            tracing::warn!(%error, "the list of the console's preloads is unreadable");
            String::new()
        }
    }
}

fn links_of(preloads: &Preloads, address: &Uri) -> String {
    let matching = preloads
        .screens
        .iter()
        .filter_map(|screen| Some((screen, parameters(&screen.path, address.path())?)));
    // The path that says the most: `/instances-new` before `/$name`.
    let Some((screen, parameters)) = matching.min_by_key(|(_, parameters)| parameters.len()) else {
        return String::new();
    };
    // Another page of a list is another call.
    let is_later_page = address.query().is_some_and(|query| query.contains("pageToken="));
    let calls = screen.calls.iter().filter(|call| !(is_later_page && call.ends_with(FIRST_PAGE)));
    let calls = calls.filter_map(|call| filled(call, &parameters)).map(|call| {
        format!("<link rel=\"preload\" as=\"fetch\" crossorigin href=\"{}\">\n", attribute(&call))
    });
    let files =
        screen.files.iter().filter_map(|number| preloads.files.get(*number)).map(|file| link_to(file));
    calls.chain(files).collect()
}

fn link_to(file: &str) -> String {
    let kind = if Path::new(file).extension().is_some_and(|extension| extension == "css") {
        "rel=\"preload\" as=\"style\""
    } else {
        "rel=\"modulepreload\""
    };
    format!("<link {kind} crossorigin href=\"/{}\">\n", attribute(file))
}

/// The parameters of a path that matches a pattern.
fn parameters<'a>(pattern: &'a str, path: &'a str) -> Option<Parameters<'a>> {
    let segments = |path: &'a str| path.split('/').filter(|segment| !segment.is_empty());
    let (mut expected, mut found) = (segments(pattern), segments(path));
    let mut parameters = Parameters::new();
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return Some(parameters),
            (Some(name), Some(value)) if name.starts_with('$') => parameters.push((name, value)),
            (Some(name), Some(value)) if name == value => {}
            _ => return None,
        }
    }
}

/// A call with the parameters in place of their names; `None` if one is no name or id, which the API would refuse.
fn filled(call: &str, parameters: &Parameters<'_>) -> Option<String> {
    parameters.iter().try_fold(call.to_owned(), |call, (name, value)| {
        let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_plain.then(|| call.replace(name, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preloads() -> Preloads {
        let list = serde_json::json!({
            "files": ["assets/list-1.js", "assets/form-2.js", "assets/form-3.css"],
            "screens": [
                { "path": "/", "files": [], "calls": [] },
                { "path": "/projects/$project/instances", "files": [0], "calls": [
                    "/v1/me", "/v1/instances?project=$project&limit=50",
                ] },
                { "path": "/projects/$project/$kind", "files": [0], "calls": [] },
                { "path": "/projects/$project/instances-new", "files": [1, 2], "calls": [] },
            ],
        });
        serde_json::from_value(list).unwrap()
    }

    fn links_at(address: &'static str) -> String {
        links_of(&preloads(), &Uri::from_static(address))
    }

    #[test]
    fn calls_come_first_and_are_escaped() {
        assert_eq!(
            links_at("/projects/web-1/instances?sort=name"),
            "<link rel=\"preload\" as=\"fetch\" crossorigin href=\"/v1/me\">\n\
             <link rel=\"preload\" as=\"fetch\" crossorigin href=\"/v1/instances?project=web-1&amp;limit=50\">\n\
             <link rel=\"modulepreload\" crossorigin href=\"/assets/list-1.js\">\n"
        );
    }

    #[test]
    fn most_specific_path_is_used() {
        assert_eq!(
            links_at("/projects/web/instances-new/"),
            "<link rel=\"modulepreload\" crossorigin href=\"/assets/form-2.js\">\n\
             <link rel=\"preload\" as=\"style\" crossorigin href=\"/assets/form-3.css\">\n"
        );
        assert_eq!(links_at("/projects/web"), "");
        assert_eq!(links_at("/"), "");
    }

    #[test]
    fn calls_with_unsuitable_parameters_are_not_preloaded() {
        let later = links_at("/projects/web/instances?pageToken=abc");
        assert!(later.contains("/v1/me") && !later.contains("/v1/instances"), "{later}");
        let strange = links_at("/projects/a%22b/instances");
        assert!(!strange.contains("%22") && strange.contains("/assets/list-1.js"), "{strange}");
    }

    #[test]
    fn a_console_without_a_list_has_no_preloads() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source::Folder(folder.path().to_owned());
        assert_eq!(links(&source, &Uri::from_static("/projects")), "");
        std::fs::write(folder.path().join(LIST), "[]").unwrap();
        assert_eq!(links(&source, &Uri::from_static("/projects")), "");
    }
}
