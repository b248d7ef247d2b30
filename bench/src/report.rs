//! The report: every figure beside its control.

use std::{fmt, time::Duration};

use crate::{
    RunOptions,
    compare::Comparison,
    events::{Events, Interest, RATE, STREAMS},
    import::Import,
    ingest::{AIM, Ingest, TIMESERIES},
    pools::State,
    queries::{INSTANCES, Queries},
    scenario::control_of,
    search::{RESOURCES, Searches},
    stats::{Run, Spread},
};

const MIB: f64 = 1024.0 * 1024.0;

/// What was measured with one number of instances.
#[derive(Default)]
pub struct Figures {
    scenarios: Vec<(&'static str, Vec<Run>)>,
    /// Resident memory after each run, in bytes.
    pub resident: Vec<u64>,
    /// Times from starting the process to its first answer.
    pub cold_starts: Vec<Duration>,
    /// Capacity, and what was answered at four times that load.
    pub overload: Option<(Run, Run)>,
}

impl Figures {
    /// Adds one run of a scenario.
    pub fn add(&mut self, name: &'static str, run: Run) {
        match self.scenarios.iter_mut().find(|(known, _)| *known == name) {
            Some((_, runs)) => runs.push(run),
            None => self.scenarios.push((name, vec![run])),
        }
    }

    fn throughput(&self, name: &str) -> Option<Spread> {
        let (_, runs) = self.scenarios.iter().find(|(known, _)| *known == name)?;
        Some(Spread::of(runs.iter().map(|run| run.throughput)))
    }
}

/// The whole report, as Markdown.
pub struct Report {
    heading: String,
    /// Size of the server binary with its console.
    pub binary_bytes: u64,
    sections: Vec<(usize, Figures)>,
    /// Earlier versions beside this one.
    pub comparison: Option<Comparison>,
    /// Addresses taken from a pool and given back, by the state of the pool.
    pub pools: Vec<State>,
    /// Queries of timeseries.
    pub queries: Option<Queries>,
    /// Changes and those who follow them.
    pub events: Vec<Events>,
    /// Samples received.
    pub ingests: Vec<Ingest>,
    /// Imports of an image of 1 GiB, and the hypervisor they went to.
    pub imports: Vec<Import>,
    import_hypervisor: String,
    /// Searches.
    pub searches: Vec<Searches>,
}

impl Report {
    /// An empty report.
    pub fn new(machine: String, options: &RunOptions) -> Self {
        let heading = format!(
            "# Benchmarks\n\nMade by `cargo xtask bench`; do not edit.\n\n\
             - Machine: {machine}\n- Commit: {}\n\
             - Server and controls on core {}, load generator on core {}; {} runs of {} s each, after 1 s of warming \
             up; median (least to greatest).\n\
             - Sessions, authorization, audit and metrics are on. Ratios are to the control of the same run.\n",
            options.commit, options.server_core, options.load_core, options.runs, options.seconds
        );
        let import_hypervisor = options.import_hypervisor.clone();
        Self {
            heading,
            binary_bytes: 0,
            sections: Vec::new(),
            comparison: None,
            pools: Vec::new(),
            queries: None,
            events: Vec::new(),
            ingests: Vec::new(),
            imports: Vec::new(),
            import_hypervisor,
            searches: Vec::new(),
        }
    }

    /// Adds what was measured with `count` instances.
    pub fn add(&mut self, count: usize, figures: Figures) {
        self.sections.push((count, figures));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.heading)?;
        #[allow(clippy::cast_precision_loss, reason = "file sizes are far below 2^52")]
        writeln!(f, "Server binary with its console: {:.1} MiB.", self.binary_bytes as f64 / MIB)?;
        for (count, figures) in &self.sections {
            section(f, *count, figures)?;
        }
        growth(f, &self.sections)?;
        if let Some(comparison) = &self.comparison {
            write!(f, "{comparison}")?;
        }
        pools(f, &self.pools)?;
        if let Some(measured) = &self.queries {
            queries(f, measured)?;
        }
        events(f, &self.events)?;
        ingests(f, &self.ingests)?;
        imports(f, &self.imports, &self.import_hypervisor)?;
        searches(f, &self.searches)
    }
}

fn section(f: &mut fmt::Formatter<'_>, count: usize, figures: &Figures) -> fmt::Result {
    writeln!(f, "\n## With {count} instances\n")?;
    writeln!(f, "| scenario | answers a second | ratio to control | p50 | p99 |")?;
    writeln!(f, "|---|---|---|---|---|")?;
    for (name, runs) in &figures.scenarios {
        let throughput = Spread::of(runs.iter().map(|run| run.throughput));
        let control = figures.throughput(control_of(name));
        let digits = usize::from(throughput.median < 100.0);
        let ratio = control.map_or_else(String::new, |c| format!("{:.2}", throughput.median / c.median));
        let latency = |pick: fn(&Run) -> Duration| {
            milliseconds(Spread::of(runs.iter().map(|run| pick(run).as_secs_f64())).median)
        };
        writeln!(
            f,
            "| {name} | {:.digits$} ({:.digits$} to {:.digits$}) | {ratio} | {} | {} |",
            throughput.median,
            throughput.least,
            throughput.greatest,
            latency(|run| run.p50),
            latency(|run| run.p99),
        )?;
    }
    footnotes(f, figures)
}

fn queries(f: &mut fmt::Formatter<'_>, queries: &Queries) -> fmt::Result {
    let median = |runs: &[Run], pick: fn(&Run) -> Duration| {
        Spread::of(runs.iter().map(|run| pick(run).as_secs_f64())).median
    };
    writeln!(f, "\n## Charts of a day\n")?;
    writeln!(
        f,
        "Queries of the console over 24 hours of samples, one every 5 s, of {INSTANCES} instances; one connection; \
     the control is a constant answer. The aim is 100 ms.\n"
    )?;
    writeln!(f, "| chart | p50 | p99 | ratio to control |")?;
    writeln!(f, "|---|---|---|---|")?;
    let control = median(&queries.control, |run| run.p50);
    for chart in &queries.charts {
        let (p50, p99) = (median(&chart.runs, |run| run.p50), median(&chart.runs, |run| run.p99));
        writeln!(
            f,
            "| {} | {} | {} | {:.0} |",
            chart.name,
            milliseconds(p50),
            milliseconds(p99),
            p50 / control
        )?;
    }
    Ok(())
}

fn footnotes(f: &mut fmt::Formatter<'_>, figures: &Figures) -> fmt::Result {
    #[allow(clippy::cast_precision_loss, reason = "memory sizes are far below 2^52")]
    let resident = Spread::of(figures.resident.iter().map(|bytes| *bytes as f64 / MIB));
    let cold = Spread::of(figures.cold_starts.iter().map(Duration::as_secs_f64));
    writeln!(
        f,
        "\n- Resident memory under load: {:.1} MiB (at most {:.1}).",
        resident.median, resident.greatest
    )?;
    writeln!(
        f,
        "- Cold start to first answer: {} ({} to {}).",
        milliseconds(cold.median),
        milliseconds(cold.least),
        milliseconds(cold.greatest)
    )?;
    if let Some((capacity, over)) = &figures.overload {
        writeln!(
            f,
            "- Overload: of lists of 1 000 the server answers {:.0} a second; offered four times that, it answers \
             {:.0} a second (p99 {}) and refuses {:.0} a second with 503 (p99 {}).",
            capacity.throughput,
            over.throughput,
            milliseconds(over.p99.as_secs_f64()),
            over.refused,
            milliseconds(over.refused_p99.as_secs_f64())
        )?;
    }
    Ok(())
}

fn growth(f: &mut fmt::Formatter<'_>, sections: &[(usize, Figures)]) -> fmt::Result {
    let (Some((few, small)), Some((many, large))) = (sections.first(), sections.last()) else {
        return Ok(());
    };
    let name = "instance list, page of 50";
    if few == many {
        return Ok(());
    }
    if let (Some(small), Some(large)) = (small.throughput(name), large.throughput(name)) {
        writeln!(
            f,
            "\nA page of 50 costs {:.2} times as much with {many} instances as with {few}.",
            small.median / large.median
        )?;
    }
    Ok(())
}

fn pools(f: &mut fmt::Formatter<'_>, states: &[State]) -> fmt::Result {
    let throughput = |runs: &[Run]| Spread::of(runs.iter().map(|run| run.throughput));
    let Some(first) = states.first().map(|state| throughput(&state.runs).median) else { return Ok(()) };
    writeln!(f, "\n## A pool of 1048576 addresses\n")?;
    writeln!(
        f,
        "Floating IPs are made and deleted in turn on one connection; the control is a synced commit.\n"
    )?;
    writeln!(f, "| pool | answers a second | ratio to control | ratio to the empty pool | p50 | p99 |")?;
    writeln!(f, "|---|---|---|---|---|---|")?;
    for state in states {
        let (runs, control) = (throughput(&state.runs), throughput(&state.control));
        let latency = |pick: fn(&Run) -> Duration| {
            milliseconds(Spread::of(state.runs.iter().map(|run| pick(run).as_secs_f64())).median)
        };
        writeln!(
            f,
            "| {} | {:.0} ({:.0} to {:.0}) | {:.2} | {:.2} | {} | {} |",
            state.name,
            runs.median,
            runs.least,
            runs.greatest,
            runs.median / control.median,
            runs.median / first,
            latency(|run| run.p50),
            latency(|run| run.p99),
        )?;
    }
    Ok(())
}

fn searches(f: &mut fmt::Formatter<'_>, searches: &[Searches]) -> fmt::Result {
    if searches.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n## Searches among {RESOURCES} resources\n")?;
    writeln!(f, "Pages of 20 for an administrator of the silo, on one connection. The aim is 20 ms.\n")?;
    writeln!(f, "| search | answers a second | p50 | p99 |")?;
    writeln!(f, "|---|---|---|---|")?;
    for Searches { name, runs } in searches {
        let throughput = Spread::of(runs.iter().map(|run| run.throughput)).median;
        let latency = |pick: fn(&Run) -> Duration| {
            milliseconds(Spread::of(runs.iter().map(|run| pick(run).as_secs_f64())).median)
        };
        writeln!(
            f,
            "| {name} | {throughput:.0} | {} | {} |",
            latency(|run| run.p50),
            latency(|run| run.p99)
        )?;
    }
    Ok(())
}

fn events(f: &mut fmt::Formatter<'_>, events: &[Events]) -> fmt::Result {
    if events.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n## Live events\n")?;
    writeln!(
        f,
        "{STREAMS} streams, {RATE:.0} changes offered a second. A delivery is timed from the beginning of the change's \
         transaction, thus from before its commit, until its message is read from a stream, every message of every stream, none \
         lost; the control is the change's own answer. Until the commit is the average of the server's own figures. The aim is a p50 \
         below 10 ms and a p99 below 100 ms from the commit.\n"
    )?;
    writeln!(f, "| each stream is told of | | a second | p50 | p99 | p50 to control | until the commit |")?;
    writeln!(f, "|---|---|---|---|---|---|---|")?;
    for (interest, title) in Interest::ALL.into_iter().zip(["every change", "one project of a hundred"]) {
        let runs: Vec<&Events> = events.iter().filter(|run| run.interest == interest).collect();
        deliveries(f, title, &runs)?;
    }
    Ok(())
}

fn deliveries(f: &mut fmt::Formatter<'_>, title: &str, runs: &[&Events]) -> fmt::Result {
    let spread = |pick: &dyn Fn(&Events) -> f64| Spread::of(runs.iter().map(|run| pick(run)));
    let time =
        |pick: &dyn Fn(&Events) -> Duration| milliseconds(spread(&|run| pick(run).as_secs_f64()).median);
    let ratio = spread(&|run| run.deliveries.p50.as_secs_f64() / run.changes.p50.as_secs_f64());
    for (name, ratio, pick) in [
        ("control: the change's answer", 1.0, (|run| &run.changes) as fn(&Events) -> &Run),
        ("delivery", ratio.median, |run| &run.deliveries),
    ] {
        let throughput = spread(&|run| pick(run).throughput);
        writeln!(
            f,
            "| {title} | {name} | {:.0} ({:.0} to {:.0}) | {} | {} | {ratio:.2} | {} |",
            throughput.median,
            throughput.least,
            throughput.greatest,
            time(&|run| pick(run).p50),
            time(&|run| pick(run).p99),
            time(&|run| run.to_commit),
        )?;
    }
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "memory sizes are far below 2^52")]
fn ingests(f: &mut fmt::Formatter<'_>, ingests: &[Ingest]) -> fmt::Result {
    if ingests.is_empty() {
        return Ok(());
    }
    let spread = |pick: fn(&Ingest) -> f64| Spread::of(ingests.iter().map(pick));
    let taken = spread(|run| run.throughput);
    writeln!(
        f,
        "\n## Samples taken in\n\n{TIMESERIES} timeseries on one core, until everything is written and synced: {:.0} samples a second \
         ({:.0} to {:.0}), {:.0} times the {AIM:.0} that are asked for; {:.2} times what writing the same samples as lines of \
         text takes in. Each takes {:.1} bytes of the file. Resident memory of the process that generates and stores them: at \
         most {:.0} MiB.",
        taken.median,
        taken.least,
        taken.greatest,
        taken.median / AIM,
        spread(|run| run.throughput / run.control).median,
        spread(|run| run.bytes).median,
        spread(|run| run.peak as f64 / MIB).greatest,
    )
}

#[allow(clippy::cast_precision_loss, reason = "memory sizes are far below 2^52")]
fn imports(f: &mut fmt::Formatter<'_>, imports: &[Import], hypervisor: &str) -> fmt::Result {
    if imports.is_empty() {
        return Ok(());
    }
    let seconds =
        |pick: fn(&Import) -> Duration| Spread::of(imports.iter().map(|import| pick(import).as_secs_f64()));
    let (import, control) = (seconds(|import| import.time), seconds(|import| import.control));
    let memory = |pick: fn(&Import) -> u64| Spread::of(imports.iter().map(|one| pick(one) as f64 / MIB));
    let (resident, peak) = (memory(|import| import.resident), memory(|import| import.peak));
    writeln!(
        f,
        "\n## Import of 1 GiB\n\nSix writers of 512 KiB at a time, hypervisor `{hypervisor}`, until everything is \
         durable: {:.2} s ({:.2} to {:.2}); `dd` with a sync at the end: {:.2} s ({:.2} to {:.2}); {:.2} times as \
         long.\n\nResident memory: {:.1} MiB before the first, at most {:.1} MiB.",
        import.median,
        import.least,
        import.greatest,
        control.median,
        control.least,
        control.greatest,
        import.median / control.median,
        resident.least,
        peak.greatest
    )
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.2} ms", seconds * 1000.0)
}
