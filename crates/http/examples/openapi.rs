//! Prints the OpenAPI document as the routes and types in use make it. `cargo xtask openapi` writes it to `openapi.json`.

fn main() {
    print!("{}", croft_http::openapi::describe());
}
