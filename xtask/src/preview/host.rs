//! A static host, as small as can be: files of one folder, compressed where they lie so, and the page for all other paths.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::failure::{Context, Outcome};

/// Most bytes of a request's head that are read.
const LARGEST_HEAD: u64 = 16 << 10;
/// Whoever is silent for this long is gone.
const PATIENCE: Duration = Duration::from_secs(30);
/// What the server says in its pages, and what WebAssembly needs beyond that.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'unsafe-inline' 'self'; \
                      frame-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// Serves a folder until the program is ended. The address is printed on standard output.
pub fn serve(folder: &Path, address: SocketAddr) -> Outcome {
    let listener = listen(address)?;
    println!("The preview is at http://{}", listener.local_addr()?);
    io::stdout().flush()?;
    attend(&listener, folder)
}

/// Serves a folder on a free port while the program does something else, and answers where.
pub fn serve_aside(folder: &Path) -> Outcome<String> {
    let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0)))?;
    let (url, folder) = (format!("http://{}", listener.local_addr()?), folder.to_owned());
    thread::spawn(move || attend(&listener, &folder));
    Ok(url)
}

fn listen(address: SocketAddr) -> Outcome<TcpListener> {
    TcpListener::bind(address).context(format!("cannot listen on {address}"))
}

fn attend(listener: &TcpListener, folder: &Path) -> Outcome {
    let folder: Arc<Path> = Arc::from(folder);
    for stream in listener.incoming() {
        let folder = Arc::clone(&folder);
        let stream = stream?;
        // A browser that goes away while it is answered is no reason to stop.
        thread::spawn(move || drop(converse(&stream, &folder)));
    }
    Ok(())
}

/// Answers one request after the other.
fn converse(stream: &TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(head) = read_head(&mut reader)? {
        let mut words = head.lines().next().unwrap_or_default().split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let takes_brotli = header(&head, "accept-encoding").is_some_and(|value| value.contains("br"));
        let answer = match method {
            "GET" | "HEAD" => answer(folder, target, takes_brotli)?,
            _ => Answer::empty("405 Method Not Allowed"),
        };
        answer.write(stream, method == "HEAD")?;
    }
    Ok(())
}

/// The head of a request; `None` when the connection ends before it.
fn read_head(reader: &mut BufReader<&TcpStream>) -> io::Result<Option<String>> {
    let mut head = String::new();
    let mut rest = io::Read::take(reader, LARGEST_HEAD);
    while rest.read_line(&mut head)? > 0 {
        if head.ends_with("\r\n\r\n") {
            return Ok(Some(head));
        }
    }
    Ok(None)
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

struct Answer {
    status: &'static str,
    headers: Vec<(&'static str, &'static str)>,
    body: Vec<u8>,
}

impl Answer {
    fn empty(status: &'static str) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    fn write(&self, mut stream: &TcpStream, is_head_only: bool) -> io::Result<()> {
        let mut text = format!("HTTP/1.1 {}\r\ncontent-length: {}\r\n", self.status, self.body.len());
        for (name, value) in &self.headers {
            text.extend([name, ": ", value, "\r\n"]);
        }
        text.push_str("\r\n");
        stream.write_all(text.as_bytes())?;
        if is_head_only { Ok(()) } else { stream.write_all(&self.body) }
    }
}

fn answer(folder: &Path, target: &str, takes_brotli: bool) -> io::Result<Answer> {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let Some(file) = file(folder, path) else {
        // What is missing among the assets is missing; any other path is one of the console's own.
        if path.starts_with("/assets/") {
            return Ok(Answer::empty("404 Not Found"));
        }
        return answer(folder, "/index.html", takes_brotli);
    };
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned();
    let mut headers = vec![
        ("content-type", media_type(&extension)),
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("vary", "accept-encoding"),
        // Names of assets change with their content.
        (
            "cache-control",
            if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" },
        ),
    ];
    let compressed = file.with_extension(format!("{extension}.br"));
    let body = if takes_brotli && compressed.is_file() {
        headers.push(("content-encoding", "br"));
        fs::read(compressed)?
    } else {
        fs::read(file)?
    };
    Ok(Answer { status: "200 OK", headers, body })
}

/// The file that a path names, if there is one within the folder.
fn file(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path.strip_prefix('/')?);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    let file = folder.join(if path.as_os_str().is_empty() { Path::new("index.html") } else { path });
    (is_inside && file.is_file()).then_some(file)
}

fn media_type(extension: &str) -> &'static str {
    match extension {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(file(&folder, "/main.rs").is_some());
        for path in
            ["/../Cargo.toml", "//etc/passwd", "/preview/../../Cargo.toml", "main.rs", "/preview", "/none"]
        {
            assert_eq!(file(&folder, path), None, "{path}");
        }
    }

    #[test]
    fn headers_are_found_in_any_case() {
        let head = "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, br\r\n\r\n";
        assert_eq!(header(head, "accept-encoding"), Some("gzip, br"));
        assert_eq!(header(head, "range"), None);
    }
}
