#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/fleet_option.h"
#include "cli/stop.h"
#include "cli/store_option.h"
#include "cli/verbs.h"
#include "memory/memory.h"
#include "output/file.h"
#include "process/process.h"
#include "serve/serve.h"

struct serve_options {
    struct dj_serve_options serve;
    struct dj_option_list writes, hosts, shards;
    bool open;
};

#define AT(member) offsetof(struct serve_options, member)
static const struct dj_option options[] = {
    {"listen", 0, DJ_OPTION_STRING, AT(serve.listen), "ADDRESS:PORT",
     "address on which the server listens (default: 127.0.0.1:0, which means any free "
     "port of this machine)"},
    {"open", 0, DJ_OPTION_FLAG, AT(open), NULL, "open the start page in a browser"},
    {"allow-write", 0, DJ_OPTION_LIST, AT(writes), "WHAT",
     "let visitors change the store: bless (accept changes), record (store runs of "
     "running apps), or bless,record"},
    {"quiet", 'q', DJ_OPTION_FLAG, AT(serve.is_quiet), NULL,
     "print no line for each request"},
    {"token-file", 0, DJ_OPTION_STRING, AT(serve.token_file), "FILE",
     "file with the token by which programs log in; only its owner may have permission "
     "to read it"},
    {"tls-cert", 0, DJ_OPTION_STRING, AT(serve.certificate), "FILE",
     "certificate for TLS (PEM)"},
    {"tls-key", 0, DJ_OPTION_STRING, AT(serve.key), "FILE",
     "private key of the certificate (PEM)"},
    {"host", 0, DJ_OPTION_LIST, AT(hosts), "NAME",
     "name under which browsers reach the server, such as perf.example.com; repeatable"},
    {"behind-proxy", 0, DJ_OPTION_FLAG, AT(serve.behind_proxy), NULL,
     "a proxy in front of dejank provides TLS and checks the name of the host"},
    {"fleet", 0, DJ_OPTION_FLAG, AT(serve.has_fleet), NULL,
     "also show the fleet of --shard or DEJANK_FLEET"},
    DJ_SHARD_OPTION(struct serve_options, shards),
    DJ_CLUSTER_OPTION(struct serve_options, serve.fleet.name),
    DJ_PASSWORD_FILE_OPTION(struct serve_options, serve.fleet.password_file),
    {"ingest-token-file", 0, DJ_OPTION_STRING, AT(serve.ingest_token_file), "FILE",
     "accept sessions from apps that send the token in this file; only its owner may "
     "have permission to read it"},
    DJ_SPOOL_OPTION(struct serve_options, serve.spool),
    {"ingest-rate", 0, DJ_OPTION_COUNT, AT(serve.ingest_per_minute), "N",
     "requests with sessions per client and minute (default: 600)"},
    {"connections", 0, DJ_OPTION_COUNT, AT(serve.connections_max), "N",
     "maximum number of connections (default: 1200)"},
    DJ_STORE_OPTION(struct serve_options, serve.store),
};

static const struct dj_option_group groups[] = {
    {"listen", "Serving"},
    {"token-file", "Other machines"},
    {"fleet", "Fleet"},
    {"connections", "Data and limits"},
};

static volatile sig_atomic_t must_rotate;

static void request_rotation(int number)
{
    (void)number;
    must_rotate = 1;
}

/* SIGHUP asks for a new token, as other servers read their configuration again. */
static void handle_signals(void)
{
    struct sigaction action = {.sa_handler = request_rotation};
    dj_stop_handle_signals();
    sigaction(SIGHUP, &action, NULL);
}

/* Permits what one word names. Returns whether the word is known. */
static bool permit(struct dj_serve_options *serve, struct dj_str word)
{
    serve->may_bless = serve->may_bless || dj_str_is(word, "bless");
    serve->may_record = serve->may_record || dj_str_is(word, "record");
    return dj_str_is(word, "bless") || dj_str_is(word, "record");
}

/* Reads words that are separated by commas. */
static int read_writes(struct serve_options *values)
{
    for (size_t i = 0; i < values->writes.count; i++) {
        for (const char *at = values->writes.values[i]; at != NULL;) {
            struct dj_str word = {at, strcspn(at, ",")};
            if (!permit(&values->serve, word)) {
                return dj_cli_print_usage_error(
                    "--allow-write: expected bless or record, found '%.*s'",
                    (int)word.length, word.at);
            }
            at = at[word.length] == ',' ? at + word.length + 1 : NULL;
        }
    }
    return DJ_EXIT_OK;
}

static int print_url(const struct dj_server *server, bool opens, struct dj_error *err)
{
    struct dj_text url = {0};
    dj_serve_append_url(server, &url);
    if (opens) {
        struct dj_text out = {0}, errors = {0};
        const char *const argv[] = {"xdg-open", dj_xtext(&url), NULL};
        const struct dj_deadline deadline = dj_deadline_in(5 * DJ_SECOND_NS, NULL);
        const struct dj_process_run run = {argv, &deadline, &out, &errors};
        int exit_code;
        if (dj_process_run(&run, &exit_code, NULL) != 0 || exit_code != 0) {
            dj_cli_print_message("--open: no browser could be started");
        }
        dj_text_finish(&out);
        dj_text_finish(&errors);
    }
    dj_text_add(&url, "\n");
    int code = dj_output_print(&url, err);
    dj_text_finish(&url);
    return code;
}

static void wait_for_end(struct dj_server *server)
{
    while (!dj_stop_is_requested()) {
        struct dj_error err = {0};
        if (must_rotate) {
            must_rotate = 0;
            if (dj_serve_rotate_token(server, &err) != 0) {
                dj_cli_print_event("dejank keeps the previous token: %s", err.message);
            } else {
                dj_cli_print_event("the old token and all logins are invalid now");
                print_url(server, false, &err);
            }
        }
        dj_host_sleep_ns(DJ_SECOND_NS / 10);
    }
}

/* Equal lines are about different requests, so each is printed. */
static void print_request(void *user, const char *line)
{
    (void)user;
    dj_cli_print_event("%s", line);
}

static const struct dj_messages request_log = {print_request, NULL};

static int run(void *given, int count, char **operands)
{
    struct serve_options *values = given;
    struct dj_server *server = NULL;
    struct dj_error err = {0};
    (void)count;
    (void)operands;
    int result = read_writes(values);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    values->serve.hosts = values->hosts.values;
    values->serve.host_count = values->hosts.count;
    values->serve.fleet.shards = values->shards.values;
    values->serve.fleet.shard_count = values->shards.count;
    values->serve.log = &request_log;
    handle_signals();
    int code = dj_serve_start(&values->serve, &server, &err);
    if (code == 0) {
        code = print_url(server, values->open, &err);
        if (code == 0) {
            dj_cli_print_message("open this address within 10 minutes; Ctrl-C ends the "
                                 "server");
            wait_for_end(server);
        }
        dj_serve_stop(server);
    }
    return dj_cli_finish(code, &err);
}

static const struct dj_example examples[] = {
    {"Show the store in a browser on this machine", "dejank serve --open"},
    {"Serve a team through a proxy that provides TLS",
     "dejank serve --listen 0.0.0.0:8080 --token-file token --behind-proxy"},
    {"Accept sessions of the fleet that DEJANK_FLEET describes",
     "dejank serve --fleet --ingest-token-file ingest-token"},
};

const struct dj_verb dj_verb_serve = {
    .name = "serve",
    .synopsis = "[OPTION]…",
    .summary = "show the store, running apps and a fleet in a browser",
    .description =
        "The first line of standard output is the address to open. The address contains "
        "a token. The token logs in one browser for 12 hours, if the address is opened "
        "within 10 minutes. Programs send 'Authorization: Bearer TOKEN' to /api/v1/…, "
        "where TOKEN "
        "is the content of --token-file. Without --token-file, programs send the token "
        "of the printed address as often as they like.\n"
        "If other machines can reach the address, dejank requires --token-file, and "
        "either --tls-cert and --tls-key or --behind-proxy. On the signal SIGHUP, dejank "
        "reads the token file again and prints a new address. dejank prints a line for "
        "each request on standard error.\n"
        "With --ingest-token-file, apps can send sessions of the fleet to "
        "/ingest/v1/sessions. dejank writes the sessions to the disk, answers, and then "
        "sends the sessions to the shards.\n",
    .exit_codes =
        "2\tlibmicrohttpd is not installed, or the options would open the server to a "
        "network without protection\n"
        "3\tthe address is in use, or the token file cannot be read\n"
        "4\tthe store is damaged or cannot be read, or the spool cannot be written\n",
    DJ_EXAMPLES(examples),
    DJ_OPTIONS(options, struct serve_options),
    DJ_GROUPS(groups),
    .run = run,
};
