//! Creates values of any deserializable type, with all optional fields set. Valid texts and numbers are found by trying
//! candidates.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{
    Deserializer,
    de::{
        self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
        VariantAccess, Visitor, value::StrDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::{Value, json};

/// Values of a type: one for each variant of each enumeration in it. The same number creates the same values.
pub fn examples<T: DeserializeOwned>(number: u64) -> Vec<T> {
    let mut state = State { number, ..State::default() };
    let mut made = vec![state.make::<T>()];
    // Variants of an enumeration inside another variant are found once that variant was created.
    let mut seen = BTreeSet::new();
    while let Some((path, count)) = state.variants.iter().find(|(path, _)| !seen.contains(*path)) {
        let (path, count) = (path.clone(), *count);
        for variant in 1..count {
            state.number += 1;
            state.chosen.insert(path.clone(), variant);
            made.push(state.make::<T>());
        }
        state.chosen.remove(&path);
        seen.insert(path);
    }
    made
}

/// The current attempt, by the path in the value.
#[derive(Clone, Debug, Default)]
struct State {
    number: u64,
    /// The selected variant of each enumeration, if not the first.
    chosen: BTreeMap<String, usize>,
    /// The number of variants of each enumeration.
    variants: BTreeMap<String, usize>,
    /// The index of the candidate for each text and number.
    candidates: BTreeMap<String, usize>,
    /// The last text or number, and the number of candidates for it.
    last: Option<(String, usize)>,
}

impl State {
    fn make<T: DeserializeOwned>(&mut self) -> T {
        loop {
            let shared = RefCell::new(self.clone());
            let result = T::deserialize(Maker { state: &shared, path: String::new() });
            *self = shared.into_inner();
            let error = match result {
                Ok(value) => return value,
                Err(error) => error,
            };
            let kind = std::any::type_name::<T>();
            let Some((path, count)) = self.last.take() else { panic!("{kind}: {error}") };
            let candidate = self.candidates.entry(path.clone()).or_default();
            *candidate += 1;
            assert!(*candidate < count, "{kind}{path}: no candidate fits: {error}");
        }
    }

    /// Returns the current candidate for a path.
    fn pick<C: Clone>(&mut self, path: &str, candidates: &[C]) -> C {
        self.last = Some((path.to_owned(), candidates.len()));
        candidates[self.candidates.get(path).copied().unwrap_or_default()].clone()
    }

    /// A number that differs between paths.
    fn mark(&self, path: &str) -> u64 {
        path.bytes().fold(self.number * 7, |mark, byte| (mark * 31 + u64::from(byte)) % 89) + 10
    }
}

fn texts(mark: u64) -> Vec<String> {
    vec![
        format!("example-{mark}"),
        format!("00000000-0000-4000-8000-0000000000{mark:02}"),
        format!("10.1.2.{mark}"),
        format!("10.1.{mark}.0/24"),
        format!("2026-01-02T03:04:{:02}Z", mark % 60),
        format!("a8:40:25:f0:00:{mark}"),
        format!("00c0ffee{mark}"),
        format!("fd00::{mark}"),
        format!("fd00:0:0:{mark}::/64"),
        format!("1.2.{mark}"),
        mark.to_string(),
        format!("example_{mark}.*"),
        format!("{mark:064x}"),
        "AAECAw==".to_owned(),
        "switch1".to_owned(),
    ]
}

/// Candidates for types that do not say what they expect: internally tagged enumerations, and JSON.
fn untyped(mark: u64) -> Vec<Value> {
    vec![
        json!({"type": "ip", "value": format!("10.1.2.{mark}")}),
        json!({"type": "icmp", "value": {"icmp_type": 8, "code": "0-3"}}),
        json!({"type": "vlan", "vid": mark}),
        json!({"kind": "totp", "sealed_secret": format!("example-{mark}"), "last_step": mark}),
        json!({"allow": "list", "ips": [format!("10.1.{mark}.0/24")]}),
        json!({"type": "system_version", "version": format!("1.2.{mark}")}),
        Value::Null,
    ]
}

#[derive(Debug)]
struct Problem(String);

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

impl de::Error for Problem {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

#[derive(Clone)]
struct Maker<'s> {
    state: &'s RefCell<State>,
    path: String,
}

impl Maker<'_> {
    fn within(&self, part: impl fmt::Display) -> Self {
        Self { state: self.state, path: format!("{}.{part}", self.path) }
    }

    fn mark(&self) -> u64 {
        self.state.borrow().mark(&self.path)
    }

    fn text(&self) -> String {
        let texts = texts(self.mark());
        self.state.borrow_mut().pick(&self.path, &texts)
    }

    fn number(&self) -> u8 {
        let mark = u8::try_from(self.mark()).unwrap();
        self.state.borrow_mut().pick(&self.path, &[mark, 0, 1, 2, 24])
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $number:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            visitor.$visit(<$number>::from(self.number()))
        })*
    };
}

impl<'de> Deserializer<'de> for Maker<'_> {
    type Error = Problem;

    numbers! {
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u8 u8;
        deserialize_u128 visit_u128 u128;
        deserialize_f32 visit_f32 f32;
        deserialize_f64 visit_f64 f64;
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let mark = i64::try_from(self.mark()).unwrap();
        // Most 64-bit integers are times in microseconds.
        let candidates = [1_790_000_000_000_000 + mark, mark];
        visitor.visit_i64(self.state.borrow_mut().pick(&self.path, &candidates))
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let mark = u16::try_from(self.mark()).unwrap();
        visitor.visit_u16(self.state.borrow_mut().pick(&self.path, &[mark, 512, 1]))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let mark = u32::try_from(self.mark()).unwrap();
        visitor.visit_u32(self.state.borrow_mut().pick(&self.path, &[mark, 512, 4096]))
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let mark = self.mark();
        visitor.visit_u64(self.state.borrow_mut().pick(&self.path, &[mark, 512, mark << 30]))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_bool(true)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_string(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_string(self.text())
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_byte_buf(vec![self.number(); 4])
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_seq(Elements { maker: self, next: 0, count: 1 })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_seq(Elements { maker: self, next: 0, count })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.deserialize_tuple(count, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        // A struct with flattened fields is deserialized like a map. Only one such struct is stored.
        if self.path.rsplit('.').next() == Some("lldp") {
            let mark = self.mark();
            let text = |field: &str| format!("{field}-{mark}");
            let value = json!({
                "id": format!("00000000-0000-4000-8000-0000000000{mark:02}"),
                "enabled": true,
                "link_name": text("link"),
                "link_description": text("description"),
                "chassis_id": text("chassis"),
                "system_name": text("system"),
                "system_description": text("system-description"),
                "management_ip": format!("10.1.2.{mark}"),
            });
            return value.deserialize_any(visitor).map_err(|error| Problem(error.to_string()));
        }
        visitor.visit_map(Fields { maker: self, names: None, next: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_map(Fields { maker: self, names: Some(fields), next: 0 })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let chosen = {
            let mut state = self.state.borrow_mut();
            state.variants.insert(self.path.clone(), variants.len());
            state.chosen.get(&self.path).copied().unwrap_or_default()
        };
        visitor.visit_enum(Variant { maker: self.within(variants[chosen]), name: variants[chosen] })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let candidates = untyped(self.mark());
        let value = self.state.borrow_mut().pick(&self.path, &candidates);
        value.deserialize_any(visitor).map_err(|error| Problem(error.to_string()))
    }

    forward_to_deserialize_any! { i8 char unit_struct identifier ignored_any }
}

struct Elements<'s> {
    maker: Maker<'s>,
    next: usize,
    count: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Problem> {
        if self.next == self.count {
            return Ok(None);
        }
        self.next += 1;
        seed.deserialize(self.maker.within(self.next)).map(Some)
    }
}

struct Fields<'s> {
    maker: Maker<'s>,
    /// `None` for a map, which gets one entry.
    names: Option<&'static [&'static str]>,
    next: usize,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Problem> {
        let next = self.next;
        self.next += 1;
        match self.names {
            None if next == 0 => seed.deserialize(self.maker.within("key")).map(Some),
            Some(names) if next < names.len() => {
                let field: StrDeserializer<'_, Problem> = names[next].into_deserializer();
                seed.deserialize(field).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Problem> {
        let name = self.names.map_or("value", |names| names[self.next - 1]);
        seed.deserialize(self.maker.within(name))
    }
}

struct Variant<'s> {
    maker: Maker<'s>,
    name: &'static str,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Problem;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Problem> {
        let name: StrDeserializer<'_, Problem> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Problem;

    fn unit_variant(self) -> Result<(), Problem> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Problem> {
        seed.deserialize(self.maker)
    }

    fn tuple_variant<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Problem> {
        self.maker.deserialize_tuple(count, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_map(Fields { maker: self.maker, names: Some(fields), next: 0 })
    }
}
