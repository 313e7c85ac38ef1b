"""Types of generated programs: scalars, vectors, records with nested structs and member arrays."""
import collections

# bytes, whether it is a floating type, and whether host_cuda.h has vectors of it
Scalar = collections.namedtuple("Scalar", "name bytes floating")
SCALARS = [Scalar("char", 1, False), Scalar("unsigned char", 1, False), Scalar("short", 2, False),
           Scalar("unsigned short", 2, False), Scalar("int", 4, False), Scalar("unsigned", 4, False),
           Scalar("long long", 8, False), Scalar("unsigned long long", 8, False), Scalar("float", 4, True),
           Scalar("double", 8, True)]
BY_NAME = {scalar.name: scalar for scalar in SCALARS}
VECTORS = {"float2": ("float", "xy"), "float4": ("float", "xyzw"), "int2": ("int", "xy"), "int4": ("int", "xyzw"),
           "double2": ("double", "xy"), "uchar4": ("unsigned char", "xyzw"), "short2": ("short", "xy"), "float3": ("float", "xyz")}
MEMBER_NAMES = ["x", "y", "mass", "k", "id", "vel", "flag", "w", "key", "next"]

# path: how a member's value is written behind the element; a dynamic member array has COUNT > 0 and `[%s]` in its path.
Leaf = collections.namedtuple("Leaf", "path scalar count")
Record = collections.namedtuple("Record", "name text leaves")


def scalar_pick(random):
    """Common types come often, odd ones sometimes."""
    common = ["float", "int", "double", "unsigned"]
    return BY_NAME[random.choice(common)] if random.random() < 0.6 else random.choice(SCALARS)


def member_make(random, name, nested):
    """Returns the declaration of a member and its leaves."""
    kind = random.random()
    if kind < 0.55:
        scalar = scalar_pick(random)
        return f"{scalar.name} {name};", [Leaf(name, scalar, 0)]
    if kind < 0.7:
        vector = random.choice(sorted(VECTORS))
        scalar, parts = VECTORS[vector]
        return f"{vector} {name};", [Leaf(f"{name}.{part}", BY_NAME[scalar], 0) for part in parts]
    if kind < 0.85 or not nested:
        scalar, count = scalar_pick(random), random.randint(2, 4)
        leaves = [Leaf(f"{name}[{i}]", scalar, 0) for i in range(count)]
        return f"{scalar.name} {name}[{count}];", leaves + [Leaf(f"{name}[%s]", scalar, count)]
    return f"{nested.name} {name};", [Leaf(f"{name}.{leaf.path}", leaf.scalar, leaf.count) for leaf in nested.leaves]


def record_make(random, name, nested=None):
    """A record of 2 to 6 members; nested: a record that members may be of."""
    lines, leaves = [], []
    for member in random.sample(MEMBER_NAMES, random.randint(2, 3 if nested is None else 6)):
        line, more = member_make(random, member, nested)
        lines.append("\t" + line)
        leaves += more
    if random.random() < 0.25:
        text = "typedef struct {\n" + "\n".join(lines) + "\n} %s;\n" % name
    else:
        text = "struct %s {\n" % name + "\n".join(lines) + "\n};\n"
    return Record(name, text, leaves)
