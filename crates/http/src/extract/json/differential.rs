//! Bodies that cannot be read are refused with the same text as by `serde_path_to_error`.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use croft_api::{
    allow_list::AllowListUpdate, firewall::VpcFirewallRuleUpdateParams, instance::InstanceCreate,
    ip_pool::IpRange, lldp::ManagementAddress, policy::SiloRolePolicy, silo::SiloCreate,
    switch_port_settings::SwitchPortSettingsCreate, user::UserCreate,
};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;

use super::{
    read_body,
    scan::{Kind, Scanner},
};

/// What single bytes are replaced by.
const BYTES: [u8; 10] = *b"\"\\{}],:x0\xff";

/// What whole values are replaced by.
const VALUES: [&str; 34] = [
    "null",
    "true",
    "0",
    "-1",
    "1.5",
    "300",
    "4294967296",
    "18446744073709551616",
    "1e999",
    "-",
    "01",
    "1.",
    "1e",
    "nul",
    r#""""#,
    r#""a""#,
    r#""Bad""#,
    r#""one""#,
    r#""pair""#,
    r#""\u0041\n""#,
    r#""\ud800""#,
    "\"\u{1}\"",
    "\"",
    "{}",
    "[]",
    "[[]]",
    "[null,1]",
    "[1,2,3]",
    "[1,]",
    r#"{"a":1}"#,
    r#"{"a":1,"b":[]}"#,
    r#"{"":{"a\"b.c":[tru]}}"#,
    r#"{"a":1,}"#,
    r#"{"one":[{"a" 1}]}"#,
];

/// What keys are replaced by.
const KEYS: [&str; 8] = [r#""""#, r#""zzz""#, r#""a\"\u00e9.[0]""#, r#""bad \x""#, "\"", "1", "x", "{"];

fn expected<T: DeserializeOwned>(body: &[u8]) -> Option<String> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let error = match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Ok(_) => deserializer.end().err()?.to_string(),
        Err(error) => error.to_string(),
    };
    Some(format!("unable to parse JSON body: {error}"))
}

#[track_caller]
fn agree<T: DeserializeOwned>(body: &[u8]) {
    let refusal = read_body::<T>(body).err().map(|failure| failure.message().to_owned());
    assert_eq!(refusal, expected::<T>(body), "{}", String::from_utf8_lossy(body));
}

/// Where the values of a text are, and the members of each of its objects.
#[derive(Default)]
struct Parts {
    values: Vec<Range<usize>>,
    keys: Vec<Range<usize>>,
    objects: Vec<Vec<Range<usize>>>,
}

impl Parts {
    fn of(text: &str) -> Self {
        let mut parts = Self::default();
        let mut scanner = Scanner::new(text.as_bytes());
        let mut members = Vec::new();
        while let Some(token) = scanner.token() {
            let frame = scanner.frames.last().cloned();
            scanner.step(token);
            let start = match token.kind {
                Kind::Open => {
                    members.push(Vec::new());
                    continue;
                }
                Kind::Key => {
                    parts.keys.push(token.start..token.end);
                    continue;
                }
                Kind::Close => {
                    parts.objects.extend(members.pop());
                    frame.unwrap().open
                }
                Kind::Scalar => token.start,
                Kind::Comma | Kind::Colon => continue,
                Kind::Wrong => panic!("{text}"),
            };
            parts.values.push(start..token.end);
            if let Some(object) = scanner.frames.last().filter(|frame| frame.is_object) {
                members.last_mut().unwrap().push(object.key.start..token.end);
            }
        }
        parts
    }
}

fn replaced(text: &str, range: &Range<usize>, by: &str) -> String {
    [&text[..range.start], by, &text[range.end..]].concat()
}

/// The same text with the members of its objects in other orders, and with other spaces.
fn rearranged(text: &str) -> Vec<String> {
    let mut texts = vec![text.to_owned()];
    for members in Parts::of(text).objects.iter().filter(|members| members.len() > 1) {
        let range = members[0].start..members[members.len() - 1].end;
        let backwards: Vec<_> = members.iter().rev().map(|member| &text[member.clone()]).collect();
        texts.push(replaced(text, &range, &backwards.join(",")));
    }
    let value: Value = serde_json::from_str(text).unwrap();
    texts.push(serde_json::to_string_pretty(&value).unwrap());
    texts
}

fn agree_on_changed_bytes<T: DeserializeOwned>(text: &str) {
    let text = text.as_bytes();
    for position in 0..text.len() {
        let (before, after) = text.split_at(position);
        agree::<T>(before);
        agree::<T>(&[before, &after[1..]].concat());
        for byte in BYTES {
            agree::<T>(&[before, &[byte], after].concat());
            agree::<T>(&[before, &[byte], &after[1..]].concat());
        }
    }
}

fn agree_on_changed_parts<T: DeserializeOwned>(text: &str) {
    let parts = Parts::of(text);
    for value in &parts.values {
        for other in VALUES {
            agree::<T>(replaced(text, value, other).as_bytes());
        }
    }
    for key in &parts.keys {
        for other in KEYS {
            agree::<T>(replaced(text, key, other).as_bytes());
        }
    }
    for member in parts.objects.iter().flatten() {
        let twice = [&text[member.clone()], &text[member.clone()]].join(", ");
        agree::<T>(replaced(text, member, &twice).as_bytes());
        for more in [r#""z":0"#, r#""z":[{"y":tru}]"#, r#""z":{"y" 1}"#, r#""z":{"y":[1"#, r#""type":"one""#]
        {
            let text = replaced(text, member, &[more, &text[member.clone()]].join(","));
            agree::<T>(text.as_bytes());
        }
    }
}

/// Compares the refusals of much that is nearly a body. Lines are only for whoever reads the body here.
fn agree_around<T: DeserializeOwned>(body: &str) {
    let text = &body.lines().map(str::trim_start).collect::<String>();
    assert_eq!(expected::<T>(text.as_bytes()), None, "{text}");
    agree_on_changed_bytes::<T>(text);
    for text in rearranged(text) {
        agree_on_changed_parts::<T>(&text);
    }
}

/// A text that begins with a small letter.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct Lower(String);

impl TryFrom<String> for Lower {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.starts_with(char::is_lowercase) { Ok(Self(text)) } else { Err("not lowercase") }
    }
}

/// At most two.
#[derive(Deserialize)]
#[serde(try_from = "Vec<T>")]
struct Few<T>(#[allow(dead_code)] Vec<T>);

impl<T> TryFrom<Vec<T>> for Few<T> {
    type Error = String;

    fn try_from(list: Vec<T>) -> Result<Self, String> {
        if list.len() > 2 { Err(format!("invalid length {}", list.len())) } else { Ok(Self(list)) }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Plain {
    One,
    Two,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(dead_code)]
enum External {
    One,
    Value(Lower),
    List(Vec<u8>),
    Pair(u8, Lower),
    Fields { a: Lower, b: Option<Box<External>> },
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code)]
enum Internal {
    One,
    Fields { a: Lower, inner: Adjacent },
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
#[allow(dead_code)]
enum Adjacent {
    One,
    Value(Lower),
    Kind(Plain),
    List(Few<Lower>),
    Fields { a: u8, b: Lower },
}

#[derive(Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(u8),
    Fields { a: Lower },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Closed {
    a: Option<f64>,
    b: (i8, Lower, bool),
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Unit;

#[derive(Deserialize)]
#[allow(dead_code)]
struct Flattening {
    own: Lower,
    list: Vec<Closed>,
    #[serde(flatten)]
    closed: Internal,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Maps {
    lower: BTreeMap<Lower, Few<u16>>,
    plain: BTreeMap<Plain, BTreeMap<Plain, Lower>>,
    externals: BTreeMap<String, External>,
    any: Value,
    skipped: IgnoredAny,
    fixed: [[u8; 2]; 1],
    set: BTreeSet<Lower>,
    unit: (Unit, (), char),
}

#[test]
fn scalars() {
    agree_around::<u8>("12");
    agree_around::<f64>("-1.25e1");
    agree_around::<Lower>(r#""a\u0062""#);
    agree_around::<Option<bool>>("true");
    agree_around::<Plain>(r#""one""#);
    agree_around::<Untagged>("7");
    agree_around::<External>(r#""one""#);
}

#[test]
fn lists() {
    agree_around::<Few<Few<Lower>>>(r#"[["a","b"],["c"]]"#);
    agree_around::<Vec<(u8, Lower)>>(r#"[[1,"a"],[2,"b"]]"#);
    agree_around::<Vec<Option<External>>>(r#"["one",{"list":[1,2]},{"pair":[3,"c"]},null,{"one":null}]"#);
    agree_around::<Closed>(r#"[1.5,[1,"a",true]]"#);
}

#[test]
fn enums() {
    agree_around::<External>(r#"{"fields":{"a":"x","b":{"fields":{"a":"y","b":null}}}}"#);
    agree_around::<Vec<External>>(r#"[{"value":"a"},{"fields":{"a":"x","b":{"value":"b"}}}]"#);
    agree_around::<Internal>(
        r#"{"type":"fields","a":"b","inner":{"type":"fields","value":{"a":1,"b":"c"}}}"#,
    );
    agree_around::<Vec<Adjacent>>(
        r#"[{"type":"value","value":"a"},{"type":"list","value":["a","b"]},{"type":"kind","value":"two"}]"#,
    );
    agree_around::<(Adjacent, Adjacent)>(r#"[{"type":"fields","value":{"a":1,"b":"c"}},{"type":"one"}]"#);
    agree_around::<Vec<Untagged>>(r#"[1,{"a":"b"}]"#);
}

#[test]
fn structs() {
    agree_around::<Closed>(r#"{"a":1.5,"b":[1,"a",false]}"#);
    agree_around::<Flattening>(
        r#"{"own":"b","list":[{"b":[1,"a",false]}],"type":"fields","a":"b",
            "inner":{"type":"value","value":"c"}}"#,
    );
}

#[test]
fn maps() {
    agree_around::<Maps>(
        r#"{"lower":{"a":[1],"b":[2]},"plain":{"one":{"two":"x"}},"externals":{"":{"list":[1]},"x":"one"},
            "any":{"a":[{"b.c":null},true]},"skipped":{"x":[1]},"fixed":[[1,2]],
            "set":["x"],"unit":[null,null,"c"]}"#,
    );
}

#[test]
fn nesting() {
    for depth in [120, 126, 127, 128, 129, 3000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = [&open.repeat(depth), "1", &close.repeat(depth)].concat();
            agree::<Value>(text.as_bytes());
            agree::<Closed>(text.as_bytes());
            for end in (depth * open.len())..text.len().min(depth * open.len() + 4) {
                let skipped = [r#"{"z":0,"lower":"#, &text[..end], "?"].concat();
                agree::<Value>(&text.as_bytes()[..end]);
                agree::<Unit>(&text.as_bytes()[..end]);
                agree::<Maps>(skipped.as_bytes());
                agree::<Maps>(skipped.replace("lower", "nobody").as_bytes());
                agree::<Maps>(skipped.replace("lower", "any").as_bytes());
            }
        }
    }
}

#[test]
fn policies_and_silos() {
    let assignment = [
        r#"{"identity_id":"5e9b5f2c-7d4f-4f0f-9a3c-6c1e2d3b4a5f","#,
        r#""identity_type":"silo_user","role_name":"viewer"}"#,
    ];
    let assignment = &*assignment.concat();
    agree_around::<SiloRolePolicy>(&[r#"{"role_assignments":["#, assignment, "]}"].concat());
    for (count, end) in [(64, "]}"), (65, "]}"), (65, "] }\n"), (65, "],\"z\":0}"), (65, "}"), (65, "")] {
        let text = [r#"{"role_assignments":["#, &vec![assignment; count].join(","), end].concat();
        agree::<SiloRolePolicy>(text.as_bytes());
    }
    agree_around::<SiloCreate>(
        r#"{"name":"s","description":"","quotas":{"cpus":1,"memory":2,"storage":3},"discoverable":true,
            "identity_mode":"local_only","tls_certificates":[],"mapped_fleet_roles":{"admin":["viewer"]}}"#,
    );
}

#[test]
fn instances() {
    agree_around::<InstanceCreate>(
        r#"{"name":"i","description":"","hostname":"h","ncpus":1,"memory":1073741824,"user_data":"QUJD",
            "network_interfaces":{"type":"create","params":[
            {"name":"n","description":"","vpc_name":"v","subnet_name":"s","ip":"::1"}]},
            "disks":[{"type":"attach","name":"d"}],"ssh_public_keys":["k"]}"#,
    );
}

#[test]
fn networks() {
    agree_around::<IpRange>(r#"{"first":"10.0.0.1","last":"10.0.0.9"}"#);
    agree_around::<AllowListUpdate>(r#"{"allowed_ips":{"allow":"list","ips":["10.0.0.0/8"]}}"#);
    agree_around::<ManagementAddress>(
        r#"{"addr":{"ip_addr":"::1"},"interface_num":{"if_index":3},"oid":[1,2]}"#,
    );
    agree_around::<VpcFirewallRuleUpdateParams>(
        r#"{"rules":[{"name":"r","description":"","status":"enabled","direction":"inbound",
            "targets":[{"type":"vpc","value":"v"}],
            "filters":{"hosts":[{"type":"ip","value":"::1"}],"ports":["1-2"]},
            "action":"allow","priority":1}]}"#,
    );
    agree_around::<SwitchPortSettingsCreate>(
        r#"{"name":"s","description":"","port_config":{"geometry":"qsfp28x1"},
            "links":[{"link_name":"l","mtu":1500,"lldp":{"enabled":true},"speed":"speed100_g","autoneg":false}],
            "interfaces":[{"link_name":"l","v6_enabled":true,"kind":{"type":"vlan","vid":3}}],
            "addresses":[]}"#,
    );
}

#[test]
fn users() {
    agree_around::<UserCreate>(r#"{"external_id":"u","password":{"mode":"password","value":"p"}}"#);
    let long = "p".repeat(513);
    for text in [
        r#"{"external_id":"u","password":{"mode":"password","value":"p"}}"#,
        r#"{"external_id":"u","password":{"value":"p","mode":"password"}}"#,
        r#"{"password":{"z":0,"value" : "p" , "mode" :"password" } }"#,
    ] {
        agree::<UserCreate>(text.replace("\"p\"", &format!("\"{long}\"")).as_bytes());
    }
}
