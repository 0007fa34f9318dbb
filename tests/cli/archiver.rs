//! Pages that mail archivers generate.

use serde_json::Value;

use super::support::Dir;

const PIPERMAIL: &str = r##"<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">
<HTML>
 <HEAD>
   <TITLE> [Keepers] Oil &amp; wicks
   </TITLE>
   <LINK REL="Index" HREF="index.html" >
   <LINK REL="made" HREF="mailto:keepers%40lists.keepers.example?Subject=Re%3A%20Oil&In-Reply-To=%3C19990301.A101%40tower.example%3E">
 </HEAD>
 <BODY BGCOLOR="#ffffff">
   <H1>[Keepers] Oil &amp; wicks</H1>
    <B>Joe Keeper</B> 
    <A HREF="mailto:keepers%40lists.keepers.example?Subject=Re%3A%20Oil&In-Reply-To=%3C19990301.A101%40tower.example%3E"
       TITLE="[Keepers] Oil &amp; wicks">joe at tower.example
       </A><BR>
    <I>Mon Mar  1 07:12:03 GMT 1999</I>
    <P><UL>
        <LI>Next message: <A HREF="000102.html">[Keepers] Oil</A></li>
       </UL>
<!--beginarticle-->
<PRE>Jane &lt;<A HREF="http://lists.keepers.example/listinfo/keepers">jane at reef.example</A>&gt; wrote:
&gt;<i> see <A HREF="http://oil.example/prices?a=1&amp;b=2">http://oil.example/prices?a=1&amp;b=2</A>
</I>&gt;<i> and &lt;URL:<A HREF="http://oil.example/a/long/">http://oil.example/a/long/</A>
</I>&gt;<i> path&gt;
</I><A HREF="http://www.oil.example">www.oil.example</A>
</PRE>
<!--endarticle-->
    <HR>
<a href="http://lists.keepers.example/listinfo/keepers">More information about the Keepers list</a>
</body></html>
"##;

const MHONARC: &str = r#"<!-- MHonArc v2.6.10 -->
<!--X-Subject: Re: channel &#60;7> &amp; buoys -->
<!--X-From-R13: Oaa Bvybg <naaNuneobhe.rknzcyr> -->
<!--X-Date: Sat, 8 Feb 2003 10:11:12 &#45;0500 -->
<!--X-Message-Id: 20030208.GA1@harbour.example -->
<!--X-Head-End-->
<html><head><title>Re: channel</title>
<link rev="made" href="mailto:ann@harbour.example"></head><body>
[<a href="msg00001.html">Date Prev</a>]
<!--X-Head-of-Message-->
<li><em>To</em>: &lt;<a href="mailto:pilots%40harbour.example">pilots@harbour.example</a>&gt;</li>
<!--X-Body-of-Message-->
<pre><a rel="nofollow" href="http://charts.example/7?a&amp;b">http://charts.example/7?a&amp;b</a>
write to <a href="mailto:ann@harbour.example">ann@harbour.example</a></pre>
<p><a href="mailto:bob@harbour.example">bob@harbour.example</a> <a href="http://charts.example/">charts</a></p>
<!--X-Body-of-Message-End-->
<!--X-MsgBody-End-->
<a href="threads.html">Index</a>
</body></html>
"#;

const HYPERMAIL: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head>
<meta name="generator" content="hypermail 2.2.0, see http://hypermail.example/" />
<title>Lamps</title></head><body>
<!-- received="Thu Nov  9 23:31:27 2006" -->
<!-- sent="Fri, 10 Nov 2006 15:34:05 +1100" -->
<!-- name="Manal Lamp" -->
<!-- email="manal@lamp.example" -->
<!-- subject="Lamps &amp; lenses" -->
<!-- id="4554013D.6080905@lamp.example" -->
<a href="date.html">Date view</a>
<!-- body="start" -->
<div class="mail"><address class="headers">From: Manal &lt;<a href="mailto:manal@lamp.example?Subject=Re%3A%20Lamps">manal@lamp.example</a>&gt;</address>
<p>See <a href="http://lamp.example/lens">http://lamp.example/lens</a><br />
<a href="attachment.txt">notes</a></p></div>
<!-- body="end" -->
<a href="http://hypermail.example/">hypermail 2.2.0</a>
</body></html>
"#;

const HYPERKITTY: &str = r##"<!DOCTYPE HTML>
<html><head><title>Lighthouse - Keepers</title>
<link rel="shortcut icon" href="/static/hyperkitty/img/favicon.ico" /></head><body>
<a href="/archives/">Lists</a><h3>Lighthouse</h3>
<div class="email email-first"><div id="ABC" class="email-header"><div class="email-author">
<span class="name"> <a href="/users/1" title="See the profile">Joe Keeper</a> </span></div>
<div class="time"><span title="Sender's time: Jan. 3, 2005, 10:11 a.m.">10:11</span></div></div>
<div class="email-body ">see <a href="http://one.example/x" rel="nofollow">http://one.example/x</a></div>
<div class="email-info"><a class="reply reply-mailto" href="mailto:k@keepers.example?Subject=Re%3A%20Lighthouse&amp;In-Reply-To=&lt;m1%40keepers.example&gt;">Reply</a></div></div>
<div class="email"><div id="DEF" class="email-header"><div class="email-author">
<span class="name"> Ann Pilot </span></div>
<div class="time"><span title="Sender's time: Sept. 4, 2005, 1:30 p.m.">13:30</span></div></div>
<div class="email-body ">and <a href="http://two.example/y" rel="nofollow">here</a></div>
<div class="email-info"><a class="reply reply-mailto" href="mailto:k@keepers.example?Subject=Re%3A%20Lighthouse&amp;In-Reply-To=&lt;m2%40keepers.example&gt;">Reply</a></div></div>
</body></html>
"##;

const GROUPS: &str = r#"<html><head><title>Lighthouse - Google Groups</title></head><body><h2>Lighthouse</h2><table>
<tr><td class="subject"><a href="https://groups.google.com/d/msg/keepers/T1/M1" title="Lighthouse">Lighthouse</a></td>
<td class="author"><span>Joe Keeper</span></td><td class="lastPostDate">1/3/05</td>
<td class="snippet"><div><div>see <a href="http://one.example/x">http://one.example/x</a></div></div></td></tr>
<tr><td class="subject"><a href="https://groups.google.com/d/msg/keepers/T1/M2" title="Re: Lighthouse">Re: Lighthouse</a></td>
<td class="author"><span>Ann Pilot</span></td><td class="lastPostDate">1/4/05</td>
<td class="snippet"><div><div>and <a href="http://two.example/y">here</a></div></div></td></tr>
</table></body></html>
"#;

/// Returns the contents of the records of a page: kind, URL, date, sender, subject and id.
fn records(dir: &Dir, args: &[&str]) -> Vec<String> {
    let ran = dir.run(&[&["--json"], args].concat());
    let show = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        let message = &record["message"];
        let fields =
            [&record["kind"], &record["url"], &message["date"], &message["from"], &message["subject"], &message["id"]];
        fields.map(|field| field.as_str().unwrap_or("-").to_string()).join(" | ")
    };
    ran.text().lines().map(show).collect()
}

#[test]
fn pages_are_read_as_their_messages() {
    let dir = Dir::new();
    dir.file("p.html", PIPERMAIL).file("m.html", MHONARC).file("h.html", HYPERMAIL);
    dir.file("k.html", HYPERKITTY).file("g.html", GROUPS);
    let pipermail =
        "1999-03-01T07:12:03Z | Joe Keeper <joe@tower.example> | [Keepers] Oil & wicks | 19990301.A101@tower.example";
    let expected = [
        "bare | http://oil.example/prices?a=1&b=2",
        "wrapped | http://oil.example/a/long/path",
        "attribute | http://www.oil.example",
    ];
    assert_eq!(records(&dir, &["p.html"]), expected.map(|link| format!("{link} | {pipermail}")));
    let mhonarc = "2003-02-08T10:11:12-05:00 | Ann Pilot <ann@harbour.example> | Re: channel <7> & buoys | 20030208.GA1@harbour.example";
    let expected = [
        "bare | http://charts.example/7?a&b",
        "attribute | mailto:bob@harbour.example",
        "attribute | http://charts.example/",
    ];
    assert_eq!(records(&dir, &["m.html"]), expected.map(|link| format!("{link} | {mhonarc}")));
    let hypermail =
        "2006-11-10T15:34:05+11:00 | Manal Lamp <manal@lamp.example> | Lamps & lenses | 4554013D.6080905@lamp.example";
    let expected = ["bare | http://lamp.example/lens", "attribute | attachment.txt"];
    assert_eq!(records(&dir, &["h.html"]), expected.map(|link| format!("{link} | {hypermail}")));
    assert_eq!(
        records(&dir, &["k.html"]),
        [
            "bare | http://one.example/x | 2005-01-03T10:11:00 | Joe Keeper | Lighthouse | m1@keepers.example",
            "attribute | http://two.example/y | 2005-09-04T13:30:00 | Ann Pilot | Lighthouse | m2@keepers.example",
        ]
    );
    assert_eq!(
        records(&dir, &["g.html"]),
        [
            "bare | http://one.example/x | - | Joe Keeper | Lighthouse | -",
            "attribute | http://two.example/y | - | Ann Pilot | Re: Lighthouse | -",
        ]
    );
}

#[test]
fn links_of_archivers_have_a_name() {
    let dir = Dir::new();
    dir.file("p.html", PIPERMAIL)
        .file("m.html", MHONARC)
        .file("h.html", HYPERMAIL)
        .file("k.html", HYPERKITTY)
        .file("g.html", GROUPS);
    let reply =
        "mailto:keepers%40lists.keepers.example?Subject=Re%3A%20Oil&In-Reply-To=%3C19990301.A101%40tower.example%3E";
    let list = "http://lists.keepers.example/listinfo/keepers";
    dir.run(&["--kind", "navigation", "p.html"])
        .is(0, format!("index.html\n{reply}\n{reply}\n000102.html\n{list}\n{list}\n"));
    let of_mhonarc = "mailto:ann@harbour.example\nmsg00001.html\nmailto:pilots%40harbour.example\nmailto:ann@harbour.example\nthreads.html\n";
    dir.run(&["--kind", "navigation", "m.html"]).is(0, of_mhonarc);
    dir.run(&["--kind", "navigation", "h.html"])
        .is(0, "http://hypermail.example/\ndate.html\nmailto:manal@lamp.example?Subject=Re%3A%20Lamps\nhttp://hypermail.example/\n");
    assert_eq!(records(&dir, &["--kind", "navigation", "k.html"]).len(), 5);
    assert_eq!(records(&dir, &["--kind", "navigation", "g.html"]).len(), 2);
    // An index is all navigation.
    dir.file(
        "thread.html",
        "<title>Archive by thread</title><a href=\"date.html#start\">[ date ]</a><a href=1.html>x</a>",
    );
    dir.run(&["thread.html"]).is(1, "");
    dir.run(&["--kind", "navigation", "thread.html"]).is(0, "date.html#start\n1.html\n");
    // This page has no marks of an archiver.
    dir.file("page.html", PIPERMAIL.replace("article-->", "text-->"));
    dir.run(&["--kind", "navigation", "page.html"]).is(1, "");
}

#[test]
fn an_audit_has_the_dates_and_no_replies() {
    let dir = Dir::new();
    dir.file("p.html", PIPERMAIL);
    let ran = dir.run(&["audit", "--format", "jsonl", "p.html"]);
    assert!(!ran.text().contains("In-Reply-To"), "{}", ran.text());
    let ran = dir.run(&["audit", "--format", "json", "p.html"]);
    assert!(ran.text().contains("1999"), "{}", ran.text());
}

/// Checks that a page read in windows gives the same matches, although a body continues in the next
/// window.
#[test]
fn a_long_page_keeps_its_bodies() {
    let dir = Dir::new();
    let line = "a line of the message, and <A HREF=\"http://h.example/\">one more</A> link\n";
    let long = PIPERMAIL.replace("</PRE>", &(line.repeat((3 << 20) / line.len()) + "</PRE>"));
    dir.file("p.html", long);
    let count = (3 << 20) / line.len() + 3;
    for threads in ["-j1", "-j2"] {
        let found = dir.run(&[threads, "p.html"]).text().lines().count();
        assert_eq!(found, count);
        assert_eq!(dir.run(&[threads, "--kind", "navigation", "p.html"]).text().lines().count(), 6);
    }
}
