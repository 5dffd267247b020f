#include "trace/symbolize.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stacks/lines.h"
#include "stacks/names.h"
#include "trace/perfetto/fields.h"
#include "trace/perfetto/stack_fields.h"
#include "trace/read.h"
#include "trace/symbolize/addresses.h"
#include "trace/symbolize/append.h"

/* State of dj_trace_symbolize(). */
struct symbolizing {
    struct dj_stacks_debug_files *files; /* Debug files that are searched. May be NULL. */
    struct dj_stacks_names *names;
    /* Source lines of the current module, or NULL if there are none. */
    struct dj_stacks_lines *lines;
    struct dj_symbolized *result;
    struct dj_text packets;
};

/* Writes an AddressSymbols message. Its first function is the innermost one. */
static void write_address(struct dj_text *text, uint64_t address,
                          const struct dj_stacks_line *lines, size_t count)
{
    size_t symbols = dj_proto_begin(text, DJ_PF_MODULE_SYMBOLS_ADDRESSES);
    dj_proto_add_uint(text, DJ_PF_ADDRESS_SYMBOLS_ADDRESS, address);
    for (size_t i = 0; i < count; i++) {
        size_t line = dj_proto_begin(text, DJ_PF_ADDRESS_SYMBOLS_LINES);
        dj_proto_add_string(text, DJ_PF_LINE_FUNCTION,
                            lines[i].function != NULL ? lines[i].function : "?");
        if (lines[i].file != NULL) {
            dj_proto_add_string(text, DJ_PF_LINE_FILE, lines[i].file);
            dj_proto_add_uint(text, DJ_PF_LINE_NUMBER, lines[i].line);
        }
        dj_proto_end(text, line);
    }
    dj_proto_end(text, symbols);
}

/* Finds the functions at one address. The outermost function gets the name of its symbol,
 * so that its name is the same with and without libdw. */
static void name_address(struct symbolizing *symbolizing,
                         const struct dj_sampled_module *module,
                         const struct dj_sampled_address *address, struct dj_text *text)
{
    struct dj_stacks_line found[DJ_STACKS_LINES_MAX] = {{.line = 0}};
    const struct dj_stacks_name *name = dj_stacks_names_find_in_file(
        symbolizing->names, module->path, &module->build_id, address->address);
    bool has_name = address->function == DJ_HAS_NAME;
    if (name->kind != DJ_STACKS_NAME_SYMBOL) {
        return;
    }
    size_t count =
        symbolizing->lines == NULL
            ? 0
            : dj_stacks_lines_find(symbolizing->lines, address->address, found);
    if (!has_name) {
        module->functions[address->function].is_named = true;
    } else if (count == 0) {
        return;
    }
    symbolizing->result->lines += count > 0 && found[0].file != NULL;
    symbolizing->result->inlined += count > 1;
    if (count == 0) {
        found[0] = (struct dj_stacks_line){.line = 0};
        count = 1;
    }
    found[count - 1].function = name->text;
    write_address(text, address->address, found, count);
}

/* Finds the names of all addresses of the module, and appends their AddressSymbols
 * messages to the text. */
static void name_addresses(struct symbolizing *symbolizing,
                           const struct dj_sampled_module *module, struct dj_text *text)
{
    const struct dj_stacks_elf *debug = dj_stacks_names_find_debug_file(
        symbolizing->names, module->path, &module->build_id);
    symbolizing->lines =
        debug == NULL ? NULL : dj_stacks_lines_open(dj_stacks_elf_path(debug));
    for (size_t i = 0; i < module->address_count; i++) {
        name_address(symbolizing, module, &module->addresses[i], text);
    }
    dj_stacks_lines_close(symbolizing->lines);
}

/* Appends a packet with the names of the module. Does nothing if no name was found. */
static void write_module(struct symbolizing *symbolizing,
                         const struct dj_sampled_module *module)
{
    struct dj_text *text = &symbolizing->packets;
    struct dj_text addresses = {0};
    name_addresses(symbolizing, module, &addresses);
    if (addresses.length > 0) {
        size_t packet = dj_proto_begin(text, DJ_PF_TRACE_PACKET);
        size_t symbols = dj_proto_begin(text, DJ_PF_PACKET_MODULE_SYMBOLS);
        dj_proto_add_string(text, DJ_PF_MODULE_SYMBOLS_PATH, module->path);
        dj_proto_add_bytes(text, DJ_PF_MODULE_SYMBOLS_BUILD_ID,
                           (struct dj_str){module->stored_id, module->stored_id_length});
        dj_text_append(text, dj_xtext(&addresses), addresses.length);
        dj_proto_end(text, symbols);
        dj_proto_end(text, packet);
    }
    dj_text_finish(&addresses);
}

static void find_refused(struct symbolizing *symbolizing,
                         const struct dj_sampled_module *module,
                         struct dj_symbolized_module *result)
{
    struct dj_stacks_build_id other;
    const char *slash = strrchr(module->path, '/');
    const char *refused =
        symbolizing->files == NULL
            ? NULL
            : dj_stacks_debug_files_find_other(symbolizing->files, slash + 1,
                                               &module->build_id, &other);
    if (refused != NULL) {
        result->refused = dj_xstrdup(refused);
        dj_stacks_build_id_format(&other, result->refused_build_id);
    }
}

static void name_module(struct symbolizing *symbolizing,
                        const struct dj_sampled_module *module)
{
    struct dj_symbolized *result = symbolizing->result;
    struct dj_symbolized_module named = {.path = dj_xstrdup(module->path),
                                         .functions = module->function_count};
    write_module(symbolizing, module);
    if (module->function_count == 0) {
        free(named.path);
        return;
    }
    for (size_t i = 0; i < module->function_count; i++) {
        named.named += module->functions[i].is_named;
    }
    struct dj_stacks_elf *debug = dj_stacks_names_find_debug_file(
        symbolizing->names, module->path, &module->build_id);
    named.file = debug == NULL ? NULL : dj_xstrdup(dj_stacks_elf_path(debug));
    dj_stacks_build_id_format(&module->build_id, named.build_id);
    if (debug == NULL) {
        find_refused(symbolizing, module, &named);
    }
    result->functions += named.functions;
    result->named += named.named;
    DJ_XPUSH(result->modules, result->module_count, named);
}

static int compare_modules(const void *one, const void *other)
{
    const struct dj_symbolized_module *a = one, *b = other;
    uint64_t left = a->functions - a->named, right = b->functions - b->named;
    if ((a->named == 0) != (b->named == 0)) {
        return a->named == 0 ? -1 : 1;
    }
    return left != right ? (left > right ? -1 : 1) : strcmp(a->path, b->path);
}

static void name_all(const struct dj_sampled_addresses *sampled,
                     struct symbolizing *symbolizing, struct dj_symbolized *result)
{
    symbolizing->result = result;
    symbolizing->names = dj_stacks_names_create(NULL, symbolizing->files);
    for (size_t i = 0; i < sampled->module_count; i++) {
        name_module(symbolizing, &sampled->modules[i]);
    }
    dj_stacks_names_destroy(symbolizing->names);
    if (result->module_count > 0) {
        qsort(result->modules, result->module_count, sizeof(*result->modules),
              compare_modules);
    }
    dj_xcheck(!symbolizing->packets.failed);
}

static int read_addresses(const char *input, struct dj_sampled_addresses *sampled,
                          struct dj_error *err)
{
    struct dj_trace summary = {0};
    int code = dj_trace_read_events(
        input, (struct dj_event_sink){dj_sampled_addresses_add, sampled}, &summary, err);
    dj_trace_finish(&summary);
    return code == 0 && sampled->stacks == 0
               ? dj_error_set(err, DJ_E_NO_DATA,
                              "%s: the trace contains no sampled call stacks", input)
               : code;
}

int dj_trace_symbolize(const char *input, const char *output,
                       struct dj_stacks_debug_files *files, struct dj_symbolized *result,
                       struct dj_error *err)
{
    struct dj_sampled_addresses sampled = {.module_count = 0};
    struct symbolizing symbolizing = {.files = files};
    int code = dj_append_check(input, err);
    code = code != 0 ? code : read_addresses(input, &sampled, err);
    if (code == 0) {
        name_all(&sampled, &symbolizing, result);
    }
    result->stacks = sampled.stacks;
    result->unreadable =
        dj_stacks_debug_files_get_unreadable(files, &result->unreadable_count);
    result->was_written =
        code == 0 && (symbolizing.packets.length > 0 || strcmp(input, output) != 0);
    if (result->was_written) {
        code = dj_append_packets(input, output, dj_text_str(&symbolizing.packets),
                                 &result->incomplete_bytes, err);
    }
    dj_text_finish(&symbolizing.packets);
    dj_sampled_addresses_finish(&sampled);
    return code;
}

void dj_trace_symbolized_finish(struct dj_symbolized *result)
{
    for (size_t i = 0; i < result->module_count; i++) {
        free(result->modules[i].path);
        free(result->modules[i].file);
        free(result->modules[i].refused);
    }
    free(result->modules);
}
