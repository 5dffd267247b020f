/*
 * What a script hands to a method: by position or by name, with `.` or with `:`, as
 * tables of the methods say. All of it is checked before the method's own code runs.
 */
#ifndef DEJANK_SCRIPT_ARGUMENTS_H
#define DEJANK_SCRIPT_ARGUMENTS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum dj_argument_kind {
    DJ_ARGUMENT_STRING,   /* also a number, as its digits; never with a NUL in it */
    DJ_ARGUMENT_INTEGER,  /* a fraction is cut down, as Python 2 divided */
    DJ_ARGUMENT_NUMBER,   /* finite */
    DJ_ARGUMENT_NUMBERS,  /* {x, y}, {x, y, w, h}: a table of finite numbers only */
    DJ_ARGUMENT_STRINGS,  /* a table of strings */
    DJ_ARGUMENT_LIST,     /* a table of anything */
    DJ_ARGUMENT_MAP,      /* a table with names for keys: never taken for named ones */
    DJ_ARGUMENT_FUNCTION, /* what can be called */
    DJ_ARGUMENT_OBJECT,   /* of the method's own class */
    DJ_ARGUMENT_ANY
};

struct dj_parameter {
    const char *name;
    const char *also; /* another name it goes by; NULL: none */
    enum dj_argument_kind kind;
    bool required;
};

/* Parameters as the tables have them: DJ_REQUIRED("x", INTEGER). */
#define DJ_PARAMETER(name, kind, required)                                               \
    {                                                                                    \
        name, NULL, DJ_ARGUMENT_##kind, required                                         \
    }
#define DJ_REQUIRED(name, kind) DJ_PARAMETER(name, kind, true)
#define DJ_OPTIONAL(name, kind) DJ_PARAMETER(name, kind, false)
#define DJ_NOTHING DJ_OPTIONAL(NULL, ANY)

enum { DJ_PARAMETERS_MAX = 8 };

struct dj_method {
    const char *name;
    /* Finds the arguments at their parameter's index, from 1 on, nil where nothing was
     * given, and after them the object. */
    lua_CFunction call;
    struct dj_parameter parameters[DJ_PARAMETERS_MAX]; /* to the first without a name */
};

/*
 * Pushes the method as a function of one object (its index) or, of its class's table,
 * where it needs none: called with that object as its first argument (`o:m(x)`) or
 * without (`o.m(x)`, as in Python) it is the same. A last argument that is a table of
 * parameters' names holds arguments by name. `class_name` and `method` live as long as
 * the state; objects of DJ_ARGUMENT_OBJECT have the metatable of that name.
 */
void dj_method_push(lua_State *L, const char *class_name, const struct dj_method *method,
                    int object);

/* The method of that name; NULL: there is none. */
const struct dj_method *dj_method_find(const struct dj_method *methods, const char *name);

/* Creates the metatable `class_name` of objects with these methods (to the first without
 * a name); metamethods may be added to it. Pushes it. */
void dj_class_push(lua_State *L, const char *class_name, const struct dj_method *methods);

/* Puts the methods, as functions of it, into the table on top. */
void dj_methods_set(lua_State *L, const char *class_name,
                    const struct dj_method *methods);

#endif
