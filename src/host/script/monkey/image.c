#include "script/monkey/image.h"

#include <errno.h>
#include <lauxlib.h>
#include <string.h>
#include <strings.h>

#include "memory/memory.h"
#include "script/arguments.h"
#include "script/libraries.h"
#include "script/state.h"

static const char class_name[] = "MonkeyImage";

enum { FILE_MAX = 256 * 1024 * 1024 };

struct dj_image *dj_monkey_image_push(lua_State *L)
{
    struct dj_image *image = lua_newuserdatauv(L, sizeof(*image), 0);
    *image = (struct dj_image){.argb = NULL};
    luaL_setmetatable(L, class_name);
    return image;
}

static struct dj_image *check_image(lua_State *L, int at)
{
    struct dj_image *image = luaL_checkudata(L, at, class_name);
    if (image->argb == NULL) {
        luaL_error(L, "this MonkeyImage is empty");
    }
    return image;
}

/* Accepts only PNG. MonkeyRunner supported the formats of its Java, and wrote PNG if a
 * format was unknown. */
static int check_format(lua_State *L, const char *what, const char *format)
{
    return strcasecmp(format, "png") == 0
               ? 0
               : dj_script_fail(L, what, DJ_E_UNSUPPORTED,
                                "images can only be written as 'png', not as '%s'",
                                format);
}

/* Pushes the PNG as a string. */
static void push_png(lua_State *L, const struct dj_image *image, const char *what)
{
    struct dj_text png = {0};
    struct dj_error err = {0};
    int code = dj_image_encode(image, &png, &err);
    if (code == 0) {
        lua_pushlstring(L, dj_xtext(&png), png.length);
    }
    dj_text_finish(&png);
    dj_script_throw_failure(L, code, what, &err);
}

static int convert_to_bytes(lua_State *L)
{
    const struct dj_image *image = check_image(L, 2);
    check_format(L, "convertToBytes", luaL_optstring(L, 1, "png"));
    push_png(L, image, "convertToBytes");
    return 1;
}

static int write_whole(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wbe");
    if (file == NULL) {
        return errno;
    }
    errno = 0;
    int failed = fwrite(bytes, 1, size, file) == size ? 0 : errno != 0 ? errno : EIO;
    if (fclose(file) != 0 && failed == 0) {
        failed = errno;
    }
    return failed;
}

static int write_to_file(lua_State *L)
{
    const char *path = lua_tostring(L, 1);
    const struct dj_image *image = check_image(L, 3);
    if (!lua_isnil(L, 2)) {
        check_format(L, "writeToFile", lua_tostring(L, 2));
    } else {
        const char *slash = strrchr(path, '/');
        const char *dot = strrchr(slash != NULL ? slash : path, '.');
        check_format(L, "writeToFile", dot != NULL && dot[1] != '\0' ? dot + 1 : "png");
    }
    push_png(L, image, "writeToFile");
    size_t size;
    const char *bytes = lua_tolstring(L, -1, &size);
    int failed = write_whole(path, bytes, size);
    if (failed != 0) {
        return dj_script_fail(L, "writeToFile", DJ_E_OUTPUT, "%s: %s", path,
                              strerror(failed));
    }
    lua_pushboolean(L, true);
    return 1;
}

static uint32_t read_pixel(lua_State *L, const char *what)
{
    const struct dj_image *image = check_image(L, 3);
    lua_Integer x = lua_tointeger(L, 1);
    lua_Integer y = lua_tointeger(L, 2);
    if (x < 0 || y < 0 || x >= image->width || y >= image->height) {
        dj_script_fail(L, what, DJ_E_USAGE,
                       "(%lld, %lld) is not inside an image of %u × %u", x, y,
                       image->width, image->height);
    }
    return dj_image_pixel(image, (uint32_t)x, (uint32_t)y);
}

/* Returns a table {alpha, red, green, blue}, where MonkeyRunner returned a tuple. */
static int get_raw_pixel(lua_State *L)
{
    uint32_t pixel = read_pixel(L, "getRawPixel");
    lua_createtable(L, 4, 0);
    for (int i = 0; i < 4; i++) {
        lua_pushinteger(L, pixel >> (24 - 8 * i) & 0xff);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* Returns the pixel as an int of Java, which is negative for an opaque pixel. */
static int get_raw_pixel_int(lua_State *L)
{
    lua_pushinteger(L, (int32_t)read_pixel(L, "getRawPixelInt"));
    return 1;
}

static lua_Integer get_rect_side(lua_State *L, int index)
{
    lua_rawgeti(L, 1, index);
    lua_Number side = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return side > -1e9 && side < 1e9 ? (lua_Integer)side : -1;
}

static int get_sub_image(lua_State *L)
{
    struct dj_image *image = check_image(L, 2);
    struct dj_error err = {0};
    if (lua_rawlen(L, 1) != 4) {
        return dj_script_fail(L, "getSubImage", DJ_E_USAGE,
                              "expected {x, y, width, height}");
    }
    struct dj_image *part = dj_monkey_image_push(L);
    return dj_image_copy_part(image, get_rect_side(L, 1), get_rect_side(L, 2),
                              get_rect_side(L, 3), get_rect_side(L, 4), part, &err) == 0
               ? 1
               : dj_script_throw(L, "getSubImage", &err);
}

static int same_as(lua_State *L)
{
    const struct dj_image *other = check_image(L, 1);
    const struct dj_image *image = check_image(L, 3);
    lua_Number share = luaL_optnumber(L, 2, 1.0);
    if (share < 0 || share > 1) {
        return dj_script_fail(
            L, "sameAs", DJ_E_USAGE,
            "percent must be a fraction of all pixels, from 0.0 to 1.0");
    }
    lua_pushboolean(L, dj_image_is_same(image, other, share));
    return 1;
}

static int get_width(lua_State *L)
{
    lua_pushinteger(L, check_image(L, 1)->width);
    return 1;
}

static int get_height(lua_State *L)
{
    lua_pushinteger(L, check_image(L, 1)->height);
    return 1;
}

static const struct dj_method methods[] = {
    {"convertToBytes", convert_to_bytes, {DJ_OPTIONAL("format", STRING)}},
    {"getRawPixel",
     get_raw_pixel,
     {DJ_REQUIRED("x", INTEGER), DJ_REQUIRED("y", INTEGER)}},
    {"getRawPixelInt",
     get_raw_pixel_int,
     {DJ_REQUIRED("x", INTEGER), DJ_REQUIRED("y", INTEGER)}},
    {"getSubImage", get_sub_image, {DJ_REQUIRED("rect", NUMBERS)}},
    {"sameAs", same_as, {DJ_REQUIRED("other", OBJECT), DJ_OPTIONAL("percent", NUMBER)}},
    {"writeToFile",
     write_to_file,
     {DJ_REQUIRED("path", STRING), DJ_OPTIONAL("format", STRING)}},
    {"getWidth", get_width, {DJ_NOTHING}},
    {"getHeight", get_height, {DJ_NOTHING}},
    {NULL, NULL, {DJ_NOTHING}},
};

static int collect_image(lua_State *L)
{
    dj_image_finish(luaL_checkudata(L, 1, class_name));
    return 0;
}

static int describe_image(lua_State *L)
{
    const struct dj_image *image = luaL_checkudata(L, 1, class_name);
    lua_pushfstring(L, "MonkeyImage: %d × %d", (int)image->width, (int)image->height);
    return 1;
}

int dj_monkey_image_load(lua_State *L)
{
    const char *path = lua_tostring(L, 1);
    struct dj_text bytes = {.maximum = FILE_MAX};
    struct dj_error err = {0};
    struct dj_image *image = dj_monkey_image_push(L);
    int code = dj_script_read(path, &bytes, &err);
    if (code == 0) {
        code = dj_image_decode(dj_xtext(&bytes), bytes.length, image, &err);
        if (code != 0) {
            dj_error_prepend(&err, "%s", path);
        }
    }
    dj_text_finish(&bytes);
    return code == 0 ? 1 : dj_script_throw(L, "loadImageFromFile", &err);
}

static const luaL_Reg metamethods[] = {
    {"__gc", collect_image}, {"__tostring", describe_image}, {NULL, NULL}};

const struct dj_script_library dj_monkey_image_library = {
    .name = class_name, .methods = methods, .metamethods = metamethods};
