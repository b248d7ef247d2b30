//! The OpenAPI documents against a real server: schemathesis makes requests from them, and no answer may be a failure of the
//! server or one that the document does not allow.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Outcome};
use crate::requirements::{PYTHON, install};
use crate::server::Server;
use crate::shell::{announce, capture, command, root, run, succeeds, target_directory};

/// Makes the requests the same in every run, as far as the server's answers are.
const SEED: &str = "20261121";
/// A document whose operations are asked.
pub struct Document {
    /// Its file at the repository's root.
    pub file: &'static str,
    /// What its part of the report is called.
    pub part: &'static str,
    /// Seconds of making requests.
    seconds: &'static str,
}

/// Both documents.
pub const DOCUMENTS: [Document; 2] = [
    Document { file: "openapi.json", part: "schemathesis", seconds: "90" },
    Document { file: "openapi-croft.json", part: "schemathesis-extensions", seconds: "15" },
];

/// What is checked of every answer.
const CHECKS: &str =
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

/// Operations that are left out, and why. All others are asked with everything that the document allows, and with what it does
/// not.
const LEFT_OUT: [(&str, &str); 13] = [
    ("logout", "it would end what the run itself goes by"),
    ("current_user_access_token_delete", "it could end the run's own token"),
    ("user_logout", "it would end the run's own session and tokens"),
    ("local_idp_user_delete", "it could delete the run's own user"),
    ("system_policy_update", "it would take the fleet's rights from the run's own user"),
    (
        "policy_update",
        "it would take the rights on the silo, and with them the fleet's, from the run's own user",
    ),
    ("silo_policy_update", "as policy_update"),
    ("silo_delete", "it could delete the run's own silo"),
    ("networking_allow_list_update", "it would keep the run itself out"),
    ("login_local", "wrong passwords are answered ever more slowly"),
    ("instance_serial_console_stream", "it is a WebSocket"),
    ("instance_graphical_console_stream", "it is a WebSocket"),
    ("events", "its answer has no end"),
];

/// Runs schemathesis against a server of its own, with simulated machines. Answers whether all was well, and where the
/// results are.
pub fn run_against(document: &Document, results: &Path) -> Outcome<bool> {
    let schemathesis = environment()?;
    let place = target_directory().join("fuzz/server");
    if place.exists() {
        fs::remove_dir_all(&place).context("cannot clear the data of an earlier run")?;
    }
    fs::create_dir_all(&place)?;
    let server = Server::start(&target_directory().join("debug/croft"), &place)?;
    let token = capture(program().args(["admin", "token"]).arg("--data-dir").arg(place.join("data")))?;
    let token = token.lines().find(|line| line.starts_with("croft-token-")).unwrap_or_default().to_owned();
    announce(&format!("Asking every operation for whatever {} allows; the seed is {SEED}.", document.file));
    let mut fuzzer = command(&schemathesis);
    // It leaves a cache where it runs.
    fuzzer.current_dir(&place);
    fuzzer.arg("--config-file").arg(root().join("xtask/fuzz/schemathesis.toml"));
    fuzzer.arg("run").arg(root().join(document.file)).args(["--url", &server.url]);
    // Whoever reads it meanwhile is on this machine, and the server ends with the run.
    fuzzer.args(["--header", &format!("Authorization: Bearer {token}")]);
    fuzzer.args(["--checks", CHECKS, "--seed", SEED, "--max-time", document.seconds]);
    // One worker: what reads Python's syntax for it in Python 3.11 breaks down when two threads do so at once.
    fuzzer.args(["--phases", "coverage,fuzzing", "--workers", "1", "--continue-on-failure", "--no-shrink"]);
    fuzzer.args(["--suppress-health-check", "all", "--warnings", "off"]);
    fuzzer.args(["--report", "junit", "--report-junit-path"]).arg(results);
    for (operation, _) in LEFT_OUT {
        fuzzer.args(["--exclude-operation-id", operation]);
    }
    let passed = succeeds(&mut fuzzer)?;
    let alive = server.end()?;
    Ok(passed && alive)
}

fn program() -> std::process::Command {
    command(target_directory().join("debug/croft"))
}

/// schemathesis, in the versions that the repository names, in an environment of its own.
fn environment() -> Outcome<PathBuf> {
    install(&[PYTHON])?;
    let (folder, list) = (target_directory().join("fuzz/venv"), root().join("xtask/fuzz/requirements.txt"));
    let (program, installed) = (folder.join("bin/schemathesis"), folder.join("requirements.txt"));
    let wanted = fs::read(&list)?;
    if program.is_file() && fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(program);
    }
    announce("Installing schemathesis: it makes requests from the OpenAPI document.");
    run(command("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let pip = folder.join("bin/pip");
    run(command(pip).args(["install", "--quiet", "--require-hashes", "--requirement"]).arg(&list))?;
    fs::write(&installed, wanted)?;
    Ok(program)
}
