use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use bytes::Bytes;
use http::HeaderMap;
use rust_embed::RustEmbed;

/// The console as it was built, with compressed copies beside the files (see `build.rs`).
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/console"]
struct Embedded;

/// The source of the console's files.
#[derive(Clone, Debug)]
pub enum Source {
    /// Embedded in the program.
    Embedded,
    /// A directory, read again for every request.
    Folder(PathBuf),
}

/// A file for a response.
pub struct File {
    /// The content, compressed if `encoding` says so.
    pub content: Bytes,
    /// The value of the header `content-encoding`.
    pub encoding: Option<&'static str>,
}

/// Encodings in the order of preference, with the suffixes of the files.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

impl Source {
    /// A file in the best encoding that the client accepts. Quality values are ignored.
    pub fn find(&self, path: &str, headers: &HeaderMap) -> Option<File> {
        let compressed = ENCODINGS.into_iter().filter(|(token, _)| accepts(headers, token));
        compressed
            .filter_map(|(token, ending)| {
                self.read(&format!("{path}{ending}")).map(|content| (content, Some(token)))
            })
            .chain(std::iter::once_with(|| self.read(path).map(|content| (content, None))).flatten())
            .map(|(content, encoding)| File { content, encoding })
            .next()
    }

    /// A file without encoding.
    pub fn read(&self, path: &str) -> Option<Bytes> {
        match self {
            Self::Embedded => Embedded::get(path).map(|file| match file.data {
                std::borrow::Cow::Borrowed(content) => Bytes::from_static(content),
                std::borrow::Cow::Owned(content) => content.into(),
            }),
            Self::Folder(folder) => read_file(folder, path),
        }
    }

    /// Whether there is a console.
    pub fn is_built(&self) -> bool {
        self.read("index.html").is_some()
    }
}

fn accepts(headers: &HeaderMap, token: &str) -> bool {
    headers
        .get_all(http::header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|item| item.split(';').next().is_some_and(|name| name.trim().eq_ignore_ascii_case(token)))
}

/// Reads a file below a directory, without following symbolic links.
fn read_file(folder: &Path, path: &str) -> Option<Bytes> {
    let mut place = folder.to_owned();
    for component in Path::new(path).components() {
        let Component::Normal(name) = component else { return None };
        place.push(name);
        if fs::symlink_metadata(&place).ok()?.is_symlink() {
            return None;
        }
    }
    if !fs::metadata(&place).ok()?.is_file() {
        return None;
    }
    fs::read(place).ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header::ACCEPT_ENCODING};

    use super::*;

    fn accepting(text: &'static str) -> HeaderMap {
        [(ACCEPT_ENCODING, HeaderValue::from_static(text))].into_iter().collect()
    }

    #[test]
    fn best_accepted_encoding_is_chosen() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in
            [("a.js", "plain"), ("a.js.gz", "gzip"), ("b.js.gz", "gzip"), ("c.js.br", "br")]
        {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let source = Source::Folder(folder.path().to_owned());
        let find = |path: &str, text| source.find(path, &accepting(text)).map(|file| file.encoding);
        assert_eq!(find("a.js", "gzip, br"), Some(Some("gzip")));
        assert_eq!(find("a.js", "deflate, GZIP;q=0"), Some(Some("gzip")));
        assert_eq!(find("a.js", "br"), Some(None));
        assert_eq!(find("b.js", "identity"), None);
        assert_eq!(find("c.js", "gzip,br"), Some(Some("br")));
    }

    #[test]
    fn symbolic_links_and_folders_are_not_served() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inside")).unwrap();
        fs::write(folder.path().join("inside/a.js"), "a").unwrap();
        std::os::unix::fs::symlink(folder.path().join("inside"), folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("host.txt")).unwrap();
        let source = Source::Folder(folder.path().to_owned());
        assert!(source.read("inside/a.js").is_some());
        for path in ["link/a.js", "host.txt", "inside", "../x", "/etc/hostname", "none"] {
            assert!(source.read(path).is_none(), "{path}");
        }
    }
}
