//! Writes `commands.json`, which says the command of each operation: `cargo run --package croft-cli --example commands`.

fn main() -> std::io::Result<()> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents = ["../../openapi.json", "../../openapi-croft.json"].map(|name| {
        std::fs::read_to_string(folder.join(name)).expect("the OpenAPI documents are in the repository")
    });
    let client = croft_cli::Client::new(&documents.each_ref().map(String::as_str)).expect("they are JSON");
    std::fs::write(folder.join("commands.json"), client.commands())
}
