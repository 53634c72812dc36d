:- module(clutrr_phrasings,
          [ phrasing/2,         % ?Kind, ?Text
            question/1,         % ?Text
            pronouns/4          % ?Slot, ?Case, ?Male, ?Female
          ]).

/** <module> How a story says its facts

Kind is a relation, for one fact; `any`, for one fact of a relation that has no phrasings of its own; or
chain(2) and chain(3), for facts that follow each other. Persons are numbered along the chain: `{0}`, `{1}`,
... are their names, `{r1}` is what person 1 is to person 0, `{r2}` what person 2 is to person 1, and `{he0}`,
`{him0}`, `{his0}`, `{He0}`, `{His0}` are the pronouns of person 0; `{a1}` is the article of `{r1}`. What is held
out of each kind for testing are its last phrasings.

These sentences were written for Hornbeam and carry its licence.
*/

%!  pronouns(?Slot, ?Case, ?Male, ?Female) is nondet.
%
%   The slot {SlotN} of a phrasing is filled with Male or Female, as person N is.

pronouns(he,  subject,    "he",  "she").
pronouns(him, object,     "him", "her").
pronouns(his, possessive, "his", "her").
pronouns('He',  subject,    "He",  "She").
pronouns('His', possessive, "His", "Her").

%!  question(?Text:string) is nondet.
%
%   Text asks what person 1 is to person 0.

question("What is {1} to {0}?").
question("How is {1} related to {0}?").
question("{0} calls {1} by which word of kinship?").
question("Which relative of {0} is {1}?").
question("What should {0} call {1}?").
question("In which way are {0} and {1} related, seen from {0}?").

%!  phrasing(?Kind, ?Text:string) is nondet.
%
%   Text says facts of Kind.

phrasing(parent, "{1} is the {r1} of {0}.").
phrasing(parent, "{0} asked {his0} {r1} {1} for help with a broken bicycle.").
phrasing(parent, "{0} has {his0} {r1} {1} to thank for {his0} love of music.").
phrasing(parent, "Every evening {0} rings {his0} {r1} {1} to say good night.").
phrasing(parent, "It was {1}, the {r1} of {0}, who taught {him0} how to swim.").
phrasing(parent, "{1} keeps all the drawings that {0} made at school, like any proud {r1}.").
phrasing(parent, "When {0} was small, {his0} {r1} {1} read to {him0} every night.").
phrasing(parent, "{0} looks just like {his0} {r1} {1}.").
phrasing(parent, "{0} learned to cook from {1}. {He1} is {his0} {r1}.").
phrasing(parent, "Nobody is prouder of {0} than {his0} {r1}, whose name is {1}.").

phrasing(child, "{0} has a {r1} called {1}.").
phrasing(child, "{0} drove {his0} {r1} {1} to the first day of school.").
phrasing(child, "{0} bought a kite for {his0} {r1} {1}.").
phrasing(child, "{1}, {0}'s {r1}, won a prize at the science fair.").
phrasing(child, "{0} and {his0} {r1} {1} planted a tree behind the house.").
phrasing(child, "{0} gave {his0} {r1} the name {1}.").
phrasing(child, "{1} is a {r1} of {0}.").
phrasing(child, "{0} could not sleep until {his0} {r1} {1} was home.").
phrasing(child, "{0} cheered loudest when {1} scored. {He1} is {his0} {r1}.").
phrasing(child, "On Sundays {0} bakes pancakes for {1}, {his0} {r1}.").

phrasing(spouse, "{0} married {1}, who has been {his0} {r1} ever since.").
phrasing(spouse, "{1} is {0}'s {r1}.").
phrasing(spouse, "{0} and {his0} {r1} {1} danced at the village fair.").
phrasing(spouse, "{0} surprised {his0} {r1} {1} with tickets to the opera.").
phrasing(spouse, "The {r1} of {0} is {1}.").
phrasing(spouse, "{0} met {his0} {r1} {1} on a train to the sea.").
phrasing(spouse, "{0} wrote a poem for {1}, {his0} {r1}.").
phrasing(spouse, "{0} and {1} moved into a new flat, for {he1} is now {his0} {r1}.").
phrasing(spouse, "{0} never forgets the birthday of {his0} {r1} {1}.").
phrasing(spouse, "{0} has a {r1}. {His1} name is {1}.").

phrasing(sibling, "{0} shared a bedroom with {his0} {r1} {1}.").
phrasing(sibling, "{1} is one of the siblings of {0}, {his0} {r1} to be exact.").
phrasing(sibling, "{0} and {his0} {r1} {1} built a hut in the woods.").
phrasing(sibling, "{0} plays chess with {his0} {r1} {1} every Friday.").
phrasing(sibling, "{0} borrowed a coat from {1}, {his0} {r1}.").
phrasing(sibling, "{0} grew up with a {r1} named {1}.").
phrasing(sibling, "{0} often quarrels with {his0} {r1} {1}, but they always make up.").
phrasing(sibling, "The neighbours confuse {0} with {his0} {r1} {1}.").
phrasing(sibling, "{1} beat {0} at cards again. {He1} is {his0} {r1}.").
phrasing(sibling, "As a {r1}, {1} always stood up for {0}.").

phrasing(grandparent, "{0} spent the summer on the farm of {his0} {r1} {1}.").
phrasing(grandparent, "{1} told {0} old stories by the fire, as only a {r1} can.").
phrasing(grandparent, "{0} inherited a gold watch from {his0} {r1} {1}.").
phrasing(grandparent, "{0} calls {1} by no other name than {r1}.").
phrasing(grandparent, "{0}'s {r1} is {1}.").
phrasing(grandparent, "{0} wrote to {his0} {r1} {1} in the old country.").
phrasing(grandparent, "{1} knitted a scarf for {0}, who hugged {his0} {r1}.").
phrasing(grandparent, "{0} loves the soup that {his0} {r1} {1} makes.").
phrasing(grandparent, "{0} showed {1} how to use a phone. {He1} is {his0} {r1}.").
phrasing(grandparent, "Once a month {0} has lunch with {1}, who is {his0} {r1}.").

phrasing(grandchild, "{0} took {his0} {r1} {1} to the zoo.").
phrasing(grandchild, "{0} spoils {his0} {r1} {1} with sweets.").
phrasing(grandchild, "{0} is proud to have a {r1} like {1}.").
phrasing(grandchild, "{0} carries a photograph of {1}, {his0} {r1}, everywhere.").
phrasing(grandchild, "{1} is {0}'s favourite {r1}.").
phrasing(grandchild, "{0} taught {his0} {r1} {1} how to whittle.").
phrasing(grandchild, "{0} saved some money for {his0} {r1} {1}.").
phrasing(grandchild, "{0} picked up {1} from the station, glad to see {his0} {r1}.").
phrasing(grandchild, "{0} became younger the day {1} was born. {He1} is {his0} {r1}.").
phrasing(grandchild, "The old chess set of {0} went to {his0} {r1} {1}.").

phrasing(pibling, "{0} went camping with {his0} {r1} {1}.").
phrasing(pibling, "{0}'s {r1} {1} runs a small bookshop.").
phrasing(pibling, "{0} got a drum set from {his0} {r1} {1}.").
phrasing(pibling, "{0} stayed with {1}, {his0} {r1}, for a week.").
phrasing(pibling, "{1} tells the best jokes, says {0} of {his0} {r1}.").
phrasing(pibling, "{0} sends a postcard to {his0} {r1} {1} from every trip.").
phrasing(pibling, "At the party {0} sat beside {his0} {r1} {1}.").
phrasing(pibling, "{0} works in the shop that belongs to {1}, {his0} {r1}.").
phrasing(pibling, "{1} let {0} steer the boat. {He1} is {his0} {r1}.").
phrasing(pibling, "{0} wants to be a pilot like {his0} {r1}, {1}.").

phrasing(nibling, "{0} babysat {his0} {r1} {1} last night.").
phrasing(nibling, "{0} found a present for {1}, {his0} {r1}.").
phrasing(nibling, "{0} went to the graduation of {his0} {r1} {1}.").
phrasing(nibling, "{0} helped {his0} {r1} {1} with algebra.").
phrasing(nibling, "{1} came to stay with {0}, who had missed {his0} {r1}.").
phrasing(nibling, "{0} has a {r1}, {1}, with whom {he0} goes climbing.").
phrasing(nibling, "{0} lent a car to {his0} {r1} {1}.").
phrasing(nibling, "{0} thinks that {his0} {r1} {1} will be famous one day.").
phrasing(nibling, "{0} showed {1} the stars. {He1} is {his0} {r1}.").
phrasing(nibling, "{0} hired {1}, {his0} own {r1}, for the summer.").

phrasing(parent_in_law, "{0} gets along well with {his0} {r1} {1}.").
phrasing(parent_in_law, "{0} was nervous when {he0} first met {1}, now {his0} {r1}.").
phrasing(parent_in_law, "{0} painted the fence for {his0} {r1} {1}.").
phrasing(parent_in_law, "{1} gave a speech at the wedding of {0} as {his0} new {r1}.").
phrasing(parent_in_law, "{0}'s {r1} {1} lives across the street.").
phrasing(parent_in_law, "{0} invited {his0} {r1} {1} for dinner.").
phrasing(parent_in_law, "{0} would not trade {1} for any other {r1}.").
phrasing(parent_in_law, "{0} took {his0} {r1} {1} to the doctor.").
phrasing(parent_in_law, "{0} lost to {1} at golf. {He1} is {his0} {r1}.").
phrasing(parent_in_law, "Since the wedding {0} has {1} as {his0} {r1}.").

phrasing(child_in_law, "{0} welcomed {his0} {r1} {1} into the family.").
phrasing(child_in_law, "{0} could not wish for a better {r1} than {1}.").
phrasing(child_in_law, "{0} repaired the roof with {his0} {r1} {1}.").
phrasing(child_in_law, "{0} gave the old recipe to {his0} {r1} {1}.").
phrasing(child_in_law, "{1} is {his1} own boss, which {0} admires in {his0} {r1}.").
phrasing(child_in_law, "{0} went hiking with {1}, {his0} {r1}.").
phrasing(child_in_law, "{0} has {1} for a {r1}.").
phrasing(child_in_law, "{0} asked {his0} {r1} {1} to look after the dog.").
phrasing(child_in_law, "{0} likes {1} a lot. {He1} is {his0} {r1}.").
phrasing(child_in_law, "For New Year {0} called {his0} {r1} {1}.").

phrasing(sibling_in_law, "{0} went sailing with {his0} {r1} {1}.").
phrasing(sibling_in_law, "{0} argued about politics with {1}, {his0} {r1}.").
phrasing(sibling_in_law, "{0} opened a bakery together with {his0} {r1} {1}.").
phrasing(sibling_in_law, "{0} sold a motorbike to {his0} {r1} {1}.").
phrasing(sibling_in_law, "{0}'s {r1} {1} is a nurse.").
phrasing(sibling_in_law, "{1} moved house, and {0} carried boxes for {his0} {r1}.").
phrasing(sibling_in_law, "{0} plays in a band with {his0} {r1} {1}.").
phrasing(sibling_in_law, "{0} met {1} at a wedding and gained a {r1}.").
phrasing(sibling_in_law, "{0} sat next to {1} at the concert. {He1} is {his0} {r1}.").
phrasing(sibling_in_law, "The garden of {0} borders on that of {his0} {r1} {1}.").

phrasing(any, "{1} is known to {0} as {his0} {r1}.").
phrasing(any, "{0} had coffee with {his0} {r1} {1}.").
phrasing(any, "{0} sent flowers to {1}, {his0} {r1}.").
phrasing(any, "In the photograph {0} stands behind {his0} {r1} {1}.").
phrasing(any, "{0} travelled to the coast to see {his0} {r1} {1}.").
phrasing(any, "{1}, {his0} {r1}, waved at {0} from the window.").
phrasing(any, "{0} introduced {1} to the guests as {his0} {r1}.").
phrasing(any, "{0} shared an umbrella with {his0} {r1} {1}.").
phrasing(any, "{0} remembered {1} with a smile. {He1} is {his0} {r1}.").
phrasing(any, "At the reunion {0} hugged {his0} {r1} {1}.").

phrasing(chain(2), "{0} and {his0} {r1} {1} picked apples with {2}, the {r2} of {1}.").
phrasing(chain(2), "{0} visited {his0} {r1} {1}, who was having tea with {his1} {r2} {2}.").
phrasing(chain(2), "{2} is the {r2} of {1}, and {1} is the {r1} of {0}.").
phrasing(chain(2), "{0} has {a1} {r1}, {1}. {1} has {a2} {r2}, {2}.").
phrasing(chain(2), "{0} asked {1}, {his0} {r1}, about {his1} {r2} {2}.").
phrasing(chain(2), "{1} brought {his1} {r2} {2} along when {he1} met {0}, who calls {him1} {r1}.").
phrasing(chain(2), "{0} received a letter from {his0} {r1} {1}. It said that {his1} {r2} {2} had arrived safely.").
phrasing(chain(2), "{0}'s {r1} is {1}, whose {r2} is {2}.").
phrasing(chain(2), "{1} was late. {His1} {r2} {2} had missed the bus, and {0} waited for {his0} {r1}.").
phrasing(chain(2), "{0} cooked for {his0} {r1} {1} and for {2}, {his1} {r2}.").
phrasing(chain(2), "{1} is what {0} calls a true {r1}; {2} says so too, being {his1} {r2}.").
phrasing(chain(2), "{0} watched a film with {his0} {r1} {1}. {1} fell asleep, but {his1} {r2} {2} did not.").
phrasing(chain(2), "The house of {0} belongs to {his0} {r1} {1}, who got it from {his1} {r2} {2}.").
phrasing(chain(2), "{0} called {his0} {r1} {1} while {he1} was shopping with {2}, {his1} {r2}.").
phrasing(chain(2), "{2}, the {r2} of {1}, drove {him1} to the home of {0}, whose {r1} {he1} is.").

phrasing(chain(3), "{0}'s {r1} is {1}, whose {r2} is {2}, whose {r3} is {3}.").
phrasing(chain(3), "{0} went to a wedding with {his0} {r1} {1}. {1} danced with {his1} {r2} {2}. {2} danced with {3}, {his2} {r3}.").
phrasing(chain(3), "{3} is the {r3} of {2}, {2} is the {r2} of {1}, and {1} is the {r1} of {0}.").
phrasing(chain(3), "{0} heard from {his0} {r1} {1} that {his1} {r2} {2} had argued with {3}, {his2} {r3}.").
phrasing(chain(3), "{0} has {1} as {his0} {r1}. {1} has {2} as {his1} {r2}. {2} has {3} as {his2} {r3}.").
phrasing(chain(3), "{1}, the {r1} of {0}, took {his1} {r2} {2} to the museum, where {he2} met {his2} {r3} {3}.").
phrasing(chain(3), "{0} lent a book to {his0} {r1} {1}, who gave it to {his1} {r2} {2}, who lost it to {his2} {r3} {3}.").
phrasing(chain(3), "{2} threw a party for {his2} {r3} {3}. {1} came because {2} is {his1} {r2}, and brought {0}, who calls {him1} {r1}.").
phrasing(chain(3), "{0} wrote to {1}, {his0} {r1}. {1} wrote to {2}, {his1} {r2}. {2} wrote to {3}, {his2} {r3}.").
phrasing(chain(3), "At the lake {0} swam with {his0} {r1} {1}, {1} rowed with {his1} {r2} {2}, and {2} fished with {his2} {r3} {3}.").
phrasing(chain(3), "{0} lives with {his0} {r1} {1}, next door to {2}, the {r2} of {1}. Upstairs lives {3}, the {r3} of {2}.").
phrasing(chain(3), "{0} trusts {his0} {r1} {1}; {1} trusts {his1} {r2} {2}; {2} trusts {his2} {r3} {3}.").
phrasing(chain(3), "{3} shouted at {2}, though {he3} is {his2} {r3}. {1} heard it, for {2} is {his1} {r2}, and told {0}, who calls {him1} {r1}.").
phrasing(chain(3), "{0} followed {his0} {r1} {1} to the market, where {his1} {r2} {2} sold bread baked by {his2} {r3} {3}.").
phrasing(chain(3), "First {0} thanked {his0} {r1} {1}, then {1} thanked {his1} {r2} {2}, and at last {2} thanked {his2} {r3} {3}.").
