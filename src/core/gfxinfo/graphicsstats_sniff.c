#include <string.h>

#include "gfxinfo/graphicsstats_fields.h"
#include "gfxinfo/graphicsstats_proto.h"

enum {
    NEWEST_FIELD = 63 /* Highest field number that a later release may add to an entry. */
};

static const enum dj_proto_wire types[DJ_GRAPHICSSTATS_FIELDS] = {
    DJ_PROTO_BYTES, DJ_PROTO_VARINT, DJ_PROTO_VARINT, DJ_PROTO_VARINT, DJ_PROTO_BYTES,
    DJ_PROTO_BYTES, DJ_PROTO_BYTES,  DJ_PROTO_VARINT, DJ_PROTO_VARINT,
};

enum dj_proto_outcome
dj_graphicsstats_fields_read(struct dj_graphicsstats_message *message,
                             struct dj_graphicsstats_field *field)
{
    struct dj_proto_message left =
        dj_proto_open((struct dj_str){message->at, (size_t)(message->end - message->at)});
    struct dj_proto_field got;
    enum dj_proto_outcome outcome = dj_proto_next_part(&left, &got);
    bool truncated = outcome == DJ_PROTO_PART && message->open;
    if (outcome == DJ_PROTO_FIELD || truncated) {
        /* The pointer is NULL if the field contains a number. */
        const char *bytes = got.bytes.at;
        *field = (struct dj_graphicsstats_field){
            .at = message->at,
            .number = got.number,
            .wire = got.wire,
            .value = got.value,
            .span = {bytes, bytes == NULL ? NULL : bytes + got.bytes.length, truncated,
                     truncated},
        };
        message->at = (const char *)left.at;
        return DJ_PROTO_FIELD;
    }
    return outcome == DJ_PROTO_END || message->open ? outcome : DJ_PROTO_INVALID;
}

bool dj_graphicsstats_fields_is_known(const struct dj_graphicsstats_field *field)
{
    return field->number <= DJ_GRAPHICSSTATS_FIELDS &&
           field->wire == types[field->number - 1];
}

bool dj_graphicsstats_fields_has_version(const char *bytes, size_t length)
{
    static const char version[DJ_GRAPHICSSTATS_VERSION_BYTES] = {
        DJ_GRAPHICSSTATS_VERSION};
    return length >= DJ_GRAPHICSSTATS_VERSION_BYTES &&
           memcmp(bytes, version, DJ_GRAPHICSSTATS_VERSION_BYTES) == 0;
}

static bool is_package(const struct dj_graphicsstats_message *span)
{
    for (const char *at = span->at; at < span->end; at++) {
        bool fits = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                    (*at >= '0' && *at <= '9') || *at == '_' || *at == '.';
        if (!fits) {
            return false;
        }
    }
    return span->at < span->end;
}

/* Returns whether the bytes are a GraphicsStatsProto or its first part. */
static bool is_entry(struct dj_graphicsstats_message message)
{
    bool named = false;
    struct dj_graphicsstats_field field;
    enum dj_proto_outcome outcome;
    while ((outcome = dj_graphicsstats_fields_read(&message, &field)) == DJ_PROTO_FIELD) {
        bool newer =
            field.number > DJ_GRAPHICSSTATS_FIELDS && field.number <= NEWEST_FIELD;
        bool name = field.number == DJ_GRAPHICSSTATS_PACKAGE;
        if ((!newer && !dj_graphicsstats_fields_is_known(&field)) ||
            (name && !is_package(&field.span))) {
            return false;
        }
        named = named || name;
    }
    return named && outcome != DJ_PROTO_INVALID;
}

/* Returns whether the bytes contain a control character that text does not contain. White
 * space and the escape character of terminals can occur in text. */
static bool has_no_text(struct dj_graphicsstats_message span)
{
    for (const char *at = span.at; at < span.end; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte < '\b' || (byte > '\r' && byte < ' ' && byte != '\33')) {
            return true;
        }
    }
    return false;
}

bool dj_gfxinfo_is_graphicsstats_dump(const char *bytes, size_t length)
{
    struct dj_graphicsstats_message whole = {bytes, bytes + length, .open = true};
    struct dj_graphicsstats_field field;
    return dj_graphicsstats_fields_read(&whole, &field) == DJ_PROTO_FIELD &&
           field.number == DJ_GRAPHICSSTATS_ENTRY && field.wire == DJ_PROTO_BYTES &&
           is_entry(field.span) && has_no_text(field.span);
}

bool dj_gfxinfo_is_graphicsstats_file(const char *bytes, size_t length)
{
    return dj_graphicsstats_fields_has_version(bytes, length) &&
           is_entry((struct dj_graphicsstats_message){
               bytes + DJ_GRAPHICSSTATS_VERSION_BYTES, bytes + length, .open = true});
}
