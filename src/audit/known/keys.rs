//! Keys of services with a fixed prefix, and names of values that are secrets (A-TOKEN).
//!
//! The source is the services' own documentation of their keys, November 2026:
//!
//! - AWS "IAM identifiers", GitHub "About authentication to GitHub", GitLab "Token overview"
//! - Stripe "API keys", Slack "Token types", Google "API keys"
//! - npm, PyPI, SendGrid, Shopify, Square, Twilio, DigitalOcean, Hugging Face, OpenAI, Anthropic,
//!   Telegram
//!
//! Public keys (Stripe's `pk_live_`) are not secrets.

/// A kind of key.
pub(in crate::audit) struct KeyPrefix {
    pub(in crate::audit) prefix: &'static str,
    /// The fewest characters that must follow: letters, digits, `-` and `_`.
    pub(in crate::audit) least: usize,
    pub(in crate::audit) service: &'static str,
}

const fn key(prefix: &'static str, least: usize, service: &'static str) -> KeyPrefix {
    KeyPrefix { prefix, least, service }
}

/// The kinds of keys. A longer prefix comes before any shorter prefix that it begins with.
pub(in crate::audit) const KEYS: &[KeyPrefix] = &[
    key("AKIA", 16, "AWS"),
    key("ASIA", 16, "AWS"),
    key("AIza", 35, "Google"),
    key("GOCSPX-", 20, "Google"),
    key("EAACEdEose0cBA", 20, "Facebook"),
    key("SG.", 22, "SendGrid"),
    key("SK", 32, "Twilio"),
    key("dop_v1_", 64, "DigitalOcean"),
    key("ghp_", 36, "GitHub"),
    key("gho_", 36, "GitHub"),
    key("ghu_", 36, "GitHub"),
    key("ghs_", 36, "GitHub"),
    key("ghr_", 36, "GitHub"),
    key("github_pat_", 22, "GitHub"),
    key("glpat-", 20, "GitLab"),
    key("hf_", 30, "Hugging Face"),
    key("npm_", 36, "npm"),
    key("pypi-", 50, "PyPI"),
    key("rk_live_", 24, "Stripe"),
    key("sk_live_", 24, "Stripe"),
    key("shpat_", 32, "Shopify"),
    key("shpss_", 32, "Shopify"),
    key("sk-ant-", 32, "Anthropic"),
    key("sk-proj-", 32, "OpenAI"),
    key("sk-", 40, "OpenAI"),
    key("sq0atp-", 22, "Square"),
    key("sq0csp-", 40, "Square"),
    key("xapp-", 20, "Slack"),
    key("xoxa-", 10, "Slack"),
    key("xoxb-", 10, "Slack"),
    key("xoxe-", 10, "Slack"),
    key("xoxp-", 10, "Slack"),
    key("xoxr-", 10, "Slack"),
    key("xoxs-", 10, "Slack"),
];

/// A name whose value is a secret.
pub(in crate::audit) struct SecretName {
    /// In lower case.
    pub(in crate::audit) name: &'static str,
    /// Whether every value is masked. Otherwise a value must look like a secret.
    pub(in crate::audit) is_always: bool,
}

const fn always(name: &'static str) -> SecretName {
    SecretName { name, is_always: true }
}

const fn if_mixed(name: &'static str) -> SecretName {
    SecretName { name, is_always: false }
}

/// The names of secrets, from these sources (November 2026):
///
/// - the parameters of database drivers, OAuth 2.0 (RFC 6749) and OpenID Connect
/// - the signed URLs of AWS, Google and Azure
/// - the session ids of servlets, PHP and ASP
pub(in crate::audit) const NAMES: &[SecretName] = &[
    always("password"),
    always("passwd"),
    always("passphrase"),
    always("pass"),
    always("pwd"),
    always("client_secret"),
    always("clientsecret"),
    always("secret_key"),
    always("private_key"),
    always("api_key"),
    always("api-key"),
    always("apikey"),
    always("x-api-key"),
    always("access_token"),
    always("refresh_token"),
    always("id_token"),
    always("auth_token"),
    always("private_token"),
    always("x-amz-signature"),
    always("x-amz-security-token"),
    always("x-goog-signature"),
    always("jsessionid"),
    always("phpsessid"),
    if_mixed("token"),
    if_mixed("secret"),
    if_mixed("sig"),
    if_mixed("signature"),
    if_mixed("sid"),
    if_mixed("sessionid"),
    if_mixed("session"),
];

/// A service with URLs that are themselves secrets.
pub(in crate::audit) struct Hook {
    /// The host. Hosts below it match too.
    pub(in crate::audit) host: &'static str,
    /// The path before the secret. The rest of the path is the secret.
    pub(in crate::audit) path: &'static str,
    pub(in crate::audit) service: &'static str,
}

const fn hook(host: &'static str, path: &'static str, service: &'static str) -> Hook {
    Hook { host, path, service }
}

/// The services, from their own documentation of bots and incoming web hooks, November 2026.
pub(in crate::audit) const HOOKS: &[Hook] = &[
    hook("api.telegram.org", "/bot", "Telegram"),
    hook("api.telegram.org", "/file/bot", "Telegram"),
    hook("hooks.slack.com", "/services/", "Slack"),
    hook("hooks.slack.com", "/workflows/", "Slack"),
    hook("hooks.slack.com", "/triggers/", "Slack"),
    hook("discord.com", "/api/webhooks/", "Discord"),
    hook("discordapp.com", "/api/webhooks/", "Discord"),
    hook("webhook.office.com", "/webhookb2/", "Microsoft Teams"),
    hook("outlook.office.com", "/webhook/", "Microsoft Teams"),
    hook("hooks.zapier.com", "/hooks/catch/", "Zapier"),
    hook("open.feishu.cn", "/open-apis/bot/v2/hook/", "Feishu"),
];
